// Second factors for tests: turned on as a person does, with the codes that their app shows.
import { codeAt, stepAt } from '../../src/features/people/second-factor.ts'
import { type Browser, password } from './people.ts'
import type { TestService } from './service.ts'

/** The code that an app shows now. */
export const currentCode = (secret: string): string => codeAt(secret, stepAt(Date.now()))

/** Sets up a second factor without confirming it. */
export async function setUp(browser: Browser): Promise<{ secret: string; uri: string }> {
  const reply = await browser.call('POST', '/v1/console/second-factor', { currentPassword: password })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/** Turns a second factor on. `code` is the one that was used for that. */
export async function turnOn(
  browser: Browser,
): Promise<{ secret: string; code: string; recoveryCodes: readonly string[] }> {
  const { secret } = await setUp(browser)
  const code = currentCode(secret)
  const reply = await browser.call('POST', '/v1/console/second-factor/confirm', { code })
  if (reply.status !== 200) throw new Error(reply.text)
  return { secret, code, recoveryCodes: reply.body.recoveryCodes }
}

/** Makes the codes of this moment valid again, as if they had not been used: tests do not wait for the next ones. */
export async function forgetSteps({ database }: TestService): Promise<void> {
  await database.query('update second_factors set last_step = 0')
}
