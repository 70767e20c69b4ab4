// The secret of an automation trigger in records: `apiKey`, masked in every response but the create's (decisions §9).

import { bodyError, invalid, type MemberError } from '../core/problem.ts'
import { type Field, secret, text, unsetWhenEmpty } from '../engine/field.ts'
import type { Projection } from '../engine/projection.ts'
import type { Change, JsonObject } from '../engine/record.ts'

/** Characters of a trigger's secret: any that a tool generates, and what fits a header line. */
const TRIGGER_SECRET_CHARACTERS = 500

const dot = '•'
/** What a secret begins with whose key is in base64. */
export const secretPrefix = 'whsec_'

/**
 * The mask of a secret: the prefix `whsec_` where it has one, dots, and its last four characters. The last characters
 * are left out where they exceed a quarter of the secret part. No secret contains a dot, so that a mask is never taken
 * for one.
 */
export function maskOf(value: string): string {
  const known = value.startsWith(secretPrefix) ? secretPrefix : ''
  const hidden = value.slice(known.length)
  return known + dot.repeat(8) + (hidden.length >= 16 ? [...hidden].slice(-4).join('') : '')
}

/** Whether a value is the mask of a secret, not a secret. */
const isMask = (value: string): boolean => value.includes(dot)

/** It is sent as the header `x-api-key`: characters that a header cannot carry would be lost. */
const sendable = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** A secret whose key is in base64. Receivers that decode anything else get another key than the service, and refuse all calls. */
const codedSecret = /^whsec_(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

function wrongSecret(value: unknown, at: string): MemberError[] {
  if (typeof value !== 'string' || isMask(value)) return []
  if (!sendable.test(value))
    return [
      bodyError(
        at,
        'format',
        'must be printable ASCII without leading or trailing spaces, since it is sent in a header',
      ),
    ]
  if (value.startsWith(secretPrefix) && !codedSecret.test(value))
    return [
      bodyError(at, 'format', 'must have a key in base64 after whsec_; leave whsec_ out to use a text as the key'),
    ]
  return []
}

const described = text({
  max: TRIGGER_SECRET_CHARACTERS,
  description:
    'A secret shared with the receiving tool: sent to it as `x-api-key`, and used to sign calls; after `whsec_`, the key is in base64. For 24 hours after it was changed, calls are signed with the former one too. Only the response to the create shows it; all others mask it, and sending the mask back changes nothing.',
})
const apiKey: Field<string> = unsetWhenEmpty(
  secret({ ...described, sent: { ...described.schema, minLength: 1 }, check: wrongSecret }),
)

/** What was sent for the secret: a new one, null to clear it, undefined for no change, as for a mask. */
export const sentSecret = ({ set, clear }: Change): string | null | undefined => {
  const sent = set.apiKey as string | undefined
  if (sent !== undefined) return isMask(sent) ? undefined : sent
  return clear.includes('apiKey') ? null : undefined
}

/** Shown as its mask, which the column `shown` holds; `features/webhooks` stores the secret. */
export const apiKeyProjection: Projection = {
  fields: { apiKey },
  isAlways: false,
  merge: ({ apiKey: mask }, change) => {
    const { apiKey: sent } = change.set
    if (typeof sent === 'string' && isMask(sent) && sent !== mask)
      return invalid([
        bodyError('/apiKey', 'mask', 'is the mask of a secret that this trigger does not have; send the secret'),
      ])
    const value = sentSecret(change)
    return { apiKey: value === undefined ? mask : value === null ? undefined : maskOf(value) }
  },
  // Two secrets may have one mask.
  isHiddenChange: (_, change) => typeof sentSecret(change) === 'string',
  showOnce: (shown, sent) => {
    const value = sentSecret(sent)
    return typeof value === 'string' ? withKey(shown, () => value) : shown
  },
  mask: (answer) => withKey(answer, maskOf),
  store: async () => {
    throw new Error('Secrets of triggers are sealed by the operations that features/webhooks makes.')
  },
}

function withKey(record: string, change: (value: string) => string): string {
  const members = JSON.parse(record) as JsonObject
  if (typeof members.apiKey !== 'string') return record
  return JSON.stringify({ ...members, apiKey: change(members.apiKey) })
}
