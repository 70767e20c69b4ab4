// People of the shop: users with a role in its company, and browsers in which they are signed in.
import type { Browser, BrowserContext } from 'playwright-core'
import { newId } from '../../server/src/core/ids.ts'
import { connect } from '../../server/src/database/connect.ts'
import { createUser, hashPassword } from '../../server/src/features/people/users.ts'

const password = 'only for measuring this'

/** Creates a user with a role in a company, and returns the cookie of a sign-in. */
export async function signedIn(connection: any, url: string, companyId: string, role: string): Promise<string> {
  const database = connect(connection, { size: 1 })
  const email = `${role}@example.com`
  try {
    const passwordHash = await hashPassword(password)
    const { id } = await database.transaction((transaction) =>
      createUser(transaction, { email, passwordHash, name: `The ${role}` }),
    )
    await database.query(
      `insert into members (id, user_id, company_id, role, created_at, updated_at) values ($1, $2, $3, $4, now(), now())`,
      [newId(), id, companyId, role],
    )
  } finally {
    await database.close()
  }
  const response = await fetch(`${url}/v1/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  })
  const cookie = /cashwrap_sign_in=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1]
  if (cookie === undefined) throw new Error(await response.text())
  return cookie
}

/** A new window of 1280 by 800 pixels; signed in if a cookie is given. */
export async function openWindow(browser: Browser, url: string, cookie?: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  if (cookie !== undefined) await context.addCookies([{ name: 'cashwrap_sign_in', value: cookie, url }])
  context.setDefaultTimeout(15_000)
  return context
}
