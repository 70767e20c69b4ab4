// Countries, currencies, time zones and hours to choose from, with the browser's names for them.
import { locale } from '../../language.ts'

/** ISO 3166-1 alpha-2, as assigned: the browser knows their names, but has no list of them. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'

interface Choice {
  readonly value: string
  readonly label: string
}

const named = (type: 'region' | 'currency', values: readonly string[]): Choice[] => {
  const names = new Intl.DisplayNames(locale, { type })
  return values.map((value) => ({ value, label: names.of(value) ?? value }))
}

/** Countries by name. */
export const countries = (): Choice[] =>
  named('region', codes.split(' ')).sort((a, b) => a.label.localeCompare(b.label))

/** Currencies by code: “EUR · Euro”. */
export const currencies = (): Choice[] =>
  named('currency', Intl.supportedValuesOf('currency')).map(({ value, label }) => ({
    value,
    label: label === value ? value : `${value} · ${label}`,
  }))

/** Time zones by their IANA names; browsers do not list `UTC`. */
export const timezones = (): Choice[] =>
  ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value.replaceAll('_', ' ') }))

/** The hours of a day. */
export const hours: readonly Choice[] = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

/** The name of a country or a currency; any other value unchanged. */
export function nameOf(type: 'region' | 'currency', value: string | undefined): string {
  if (value === undefined) return ''
  try {
    return new Intl.DisplayNames(locale, { type }).of(value) ?? value
  } catch {
    return value
  }
}

/** The choices, plus the current value if it is not among them. */
export const withValue = (choices: readonly Choice[], value: string | undefined): Choice[] =>
  value === undefined || choices.some((choice) => choice.value === value)
    ? [...choices]
    : [{ value, label: value }, ...choices]
