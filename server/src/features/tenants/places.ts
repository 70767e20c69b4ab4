// The countries and time zones of companies.

import { bodyError } from '../../core/problem.ts'
import type { Field } from '../../engine/field.ts'

/** ISO 3166-1 alpha-2, as assigned: Intl would also accept unions and former countries. */
const countries = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF
  CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH
  GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW
  KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
  NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN
  SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT
  ZA ZM ZW`.split(/\s+/),
)

/** A two-letter country code. */
export const country = (): Field<string> => ({
  schema: {
    type: 'string',
    description: 'Where the company is: ISO 3166-1 alpha-2, in upper-case letters.',
    examples: ['AT'],
  },
  comparison: 'text',
  emptyIsUnset: true,
  check: (value, at) =>
    typeof value !== 'string' || countries.has(value)
      ? []
      : [bodyError(at, 'country', 'must be a country of two upper-case letters (ISO 3166-1 alpha-2), such as "AT"')],
})

/** The zone's name as Intl writes it; undefined for an unknown zone. Offsets such as `+01:00` are not zones. */
function zoneOf(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** A time zone by its IANA name, in its usual case. If a zone has several names, the one that was sent stays. */
export const timezone = (): Field<string> => ({
  schema: {
    type: 'string',
    description: 'The time zone of the company’s days in reports, by its IANA name. UTC if unset.',
    examples: ['Europe/Vienna'],
  },
  comparison: 'text',
  emptyIsUnset: true,
  check: (value, at) =>
    typeof value !== 'string' || zoneOf(value) !== undefined
      ? []
      : [bodyError(at, 'timezone', 'must be the IANA name of a time zone, such as "Europe/Vienna"')],
  canonical: (value) => {
    const known = zoneOf(value)
    return known?.toLowerCase() === value.toLowerCase() ? known : value
  },
})
