// Measures the console in Chromium: what each page loads for the first time, when it is usable, and how its lists scroll.
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { newId } from '../server/src/core/ids.ts'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { createUser, hashPassword } from '../server/src/features/people/users.ts'
import { startChild } from './child.ts'
import type { Started } from './started.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, chromium: { type: 'string', default: '/usr/bin/chromium' } },
})
const rounds = Number(options.rounds)
const password = 'only for measuring this'

/** Runs in the page before anything else: the time of its tasks beyond 50 ms each. */
const countBlocked = `
  window.blocked = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.blocked += Math.max(0, duration - 50)
  }).observe({ type: 'longtask', buffered: true })
`

interface Loaded {
  readonly kilobytes: number
  readonly files: number
  readonly paintedMs: number
  readonly usableMs: number
  readonly blockedMs: number
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Opens a page with an empty cache. Usable: its heading and the selector `until` are there, and a frame was drawn after. */
async function load(
  browser: Awaited<ReturnType<typeof chromium.launch>>,
  url: string,
  cookie: string | undefined,
  until: string,
): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const { origin } = new URL(url)
    if (cookie) await context.addCookies([{ name: 'cashwrap_sign_in', value: cookie, url: origin }])
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    const assets = new Set<string>()
    let bytes = 0
    let files = 0
    network.on('Network.responseReceived', ({ requestId, response }) => {
      if (new URL(response.url).pathname.startsWith('/console')) assets.add(requestId)
    })
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!assets.has(requestId)) return
      bytes += encodedDataLength
      files++
    })
    await page.addInitScript(countBlocked)
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator(until).first().waitFor({ timeout: 30_000 })
    const usableMs = await page.evaluate<number>('performance.now()')
    await page.waitForLoadState('networkidle')
    const paintedMs = await page.evaluate<number>(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
    )
    const blockedMs = await page.evaluate<number>('window.blocked')
    return { kilobytes: bytes / 1024, files, paintedMs, usableMs, blockedMs }
  } finally {
    await context.close()
  }
}

/** Scrolls a list through its first 1,000 rows, 1.5 rows per frame. Counts the frames, and those later than 34 ms. */
const scroll = `(async () => {
  const list = document.querySelector('section[aria-busy]')
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const rows = () => Number(list.querySelector('table').getAttribute('aria-rowcount')) - 1
  const end = performance.now() + 60_000
  let [frames, late, last] = [0, 0, await frame()]
  while (performance.now() < end && (rows() < 1_000 || list.scrollTop + list.clientHeight < 1_000 * 41)) {
    list.scrollTop += 60
    const now = await frame()
    frames++
    if (now - last > 34) late++
    last = now
  }
  return { rows: rows(), frames, late }
})()`

async function main(): Promise<void> {
  const folder = await temporaryFolder('console')
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox'] })
  try {
    const { url, companies } = await service.ask<Started>({ connection: embedded.connection, records: [2_000] })
    const companyId = companies[0]?.companyId as string
    const database = connect(embedded.connection, { size: 1 })
    const passwordHash = await hashPassword(password)
    const email = 'measure@example.com'
    const { id } = await database.transaction((transaction) => createUser(transaction, { email, passwordHash }))
    await database.query(
      `insert into members (id, user_id, company_id, role, created_at, updated_at) values ($1, $2, $3, 'owner', now(), now())`,
      [newId(), id, companyId],
    )
    await database.close()
    const answer = await fetch(`${url}/v1/console/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email, password }),
    })
    const cookie = /cashwrap_sign_in=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
    if (cookie === undefined) throw new Error(await answer.text())
    const company = `/c/${companyId}`
    const pages = [
      ['sign-in', '/sign-in', undefined, 'form button[type=submit]'],
      ['customers, a list', `${company}/customers`, cookie, 'tr[data-index] a'],
      ['a new customer, a form', `${company}/customers/new`, cookie, 'form button[type=submit]'],
      ['overview', company, cookie, 'main h1'],
      ['stock', `${company}/stock`, cookie, 'main h1'],
      ['API keys', `${company}/settings/keys`, cookie, 'main h1'],
    ] as const
    console.log(`${'page'.padEnd(26)}compressed   files   painted   usable   blocked   (medians of ${rounds})`)
    for (const [name, path, own, until] of pages) {
      const loads: Loaded[] = []
      for (let round = 0; round < rounds; round++) loads.push(await load(browser, `${url}/console${path}`, own, until))
      const of = (member: keyof Loaded, digits = 0) => median(loads.map((one) => one[member])).toFixed(digits)
      console.log(
        `${name.padEnd(26)}${`${of('kilobytes')} KB`.padStart(10)}${of('files').padStart(8)}${`${of('paintedMs')} ms`.padStart(10)}${`${of('usableMs')} ms`.padStart(9)}${`${of('blockedMs')} ms`.padStart(10)}`,
      )
    }
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.addCookies([{ name: 'cashwrap_sign_in', value: cookie, url }])
    const page = await context.newPage()
    await page.goto(`${url}/console${company}/customers`)
    await page.locator('tr[data-index] a').first().waitFor()
    const { rows, frames, late } = await page.evaluate<{ rows: number; frames: number; late: number }>(scroll)
    console.log(`\nscrolled through 1,000 rows (${rows} read): ${frames} frames, ${late} of them later than 34 ms`)
  } finally {
    await browser.close()
    await service.stop()
    await embedded.stop()
  }
}

await main()
