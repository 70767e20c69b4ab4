// Forgotten passwords: a link to a new one is mailed to the address of the account, if there is one.
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { text } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import type { Outbox } from '../mail/outbox.ts'
import { wakeMail } from '../mail/sending.ts'
import { body, object, publicPost, string, unstored } from './bodies.ts'
import { MAILED_LINK_MS, RESETS_OF_ADDRESS, RESETS_OF_NETWORK } from './limits.ts'
import { countReset, mayReset } from './login-throttle.ts'
import { resetMail } from './mails.ts'
import { addressOf } from './users.ts'

const asked = body(
  'PasswordReset',
  { email: text({ max: NAME_CHARACTERS, description: 'The address that the account signs in with, in any case.' }) },
  {},
  { email: 'ann@example.com' },
)

const message = `If this address has an account, a link to set a new password is on its way to it. The link works once, for ${MAILED_LINK_MS / 60_000} minutes.`

/** Whether the address has an account is looked up when the mail is written: the answer, and its time, cannot depend on it. */
async function askForReset(database: Database, outbox: Outbox, call: Call): Promise<Answer> {
  const { email } = asked.read(call.body)
  if (!outbox.isOn)
    throw new Problem(
      'conflict',
      'This service sends no mail. Ask an owner to make a link under Members, or the operator to run `cashwrap user reset-password`.',
    )
  await countReset(database, call.network())
  if (await mayReset(database, addressOf(email))) await outbox.put(database, [resetMail(email)])
  wakeMail()
  return { ...json({ statusCode: 202, message }, 202), headers: unstored }
}

/** The route. */
export const resetRoutes = (database: Database, outbox: Outbox): Route[] => [
  {
    ...publicPost,
    path: '/v1/console/password-reset',
    operationId: 'askForPasswordReset',
    summary: 'Ask for a link to set a new password',
    description: `Mails the link to the address, if it has an account. The response is the same if it has none. An address gets at most ${RESETS_OF_ADDRESS} mails within 15 minutes; after ${RESETS_OF_NETWORK} requests from a network, the response is 429. It is 409 \`conflict\` if the service has no mail server.`,
    body: asked.document,
    replies: {
      202: {
        description: 'The request was taken.',
        schema: object('PasswordResetTaken', {
          statusCode: { const: 202, description: 'The status of the response, 202.' },
          message: string('What happens next, in a sentence for people.'),
        }),
        example: { statusCode: 202, message },
      },
    },
    problems: ['permission_denied', 'conflict', 'rate_limited'],
    handle: (call) => askForReset(database, outbox, call),
  },
]
