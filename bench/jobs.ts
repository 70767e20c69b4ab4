// Does a shop's jobs in the console as a person would, counts clicks and keys, times them, and checks in the API that each is done.

import { parseArgs } from 'node:util'
import pino from 'pino'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { buildConsole } from '../server/src/commands/build-console.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { caller } from './caller.ts'
import { startChild } from './child.ts'
import { catalogue } from './jobs/catalogue.ts'
import type { Job, Place } from './jobs/job.ts'
import { openWindow, signedIn } from './jobs/people.ts'
import { noCounts, type Person, personAt } from './jobs/person.ts'
import { running } from './jobs/running.ts'
import { selling } from './jobs/selling.ts'
import { fillShop, type Shop } from './jobs/shop.ts'
import { type Done, tableOf } from './jobs/table.ts'
import type { Company, Started } from './started.ts'
import { onceStopped } from './stopped.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    chromium: { type: 'string', default: '/usr/bin/chromium-headless-shell' },
    only: { type: 'string', default: '' },
  },
})
const say = (line: string) => process.stderr.write(`${line}\n`)

interface House {
  readonly browser: Browser
  readonly url: string
  readonly shop: Shop
  readonly cookies: Readonly<Record<'owner' | 'viewer', string>>
}

/** Does one job in new windows, from the start page. */
async function work({ browser, url, shop, cookies }: House, job: Job): Promise<Done> {
  const counts = noCounts()
  const windows: BrowserContext[] = []
  const open = async (cookie: string | undefined, path = '/console'): Promise<Person> => {
    const context = await openWindow(browser, url, cookie)
    windows.push(context)
    const page = await context.newPage()
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    return personAt(page, counts)
  }
  const as: Place['as'] = (who, path) => open(who === 'viewer' ? cookies.viewer : undefined, path)
  const place = { shop, as }
  try {
    await job.prepare?.(place)
    const owner = await open(cookies.owner)
    const begun = performance.now()
    const check = await job.run(owner, place)
    // The check may open pages too.
    const done = { name: job.name, ...counts, machineSeconds: (performance.now() - begun) / 1_000 }
    await check()
    return done
  } finally {
    for (const context of windows) await context.close()
  }
}

async function main(): Promise<void> {
  await buildConsole(pino({ level: 'warn' }, pino.destination(2)))
  const folder = await temporaryFolder('jobs')
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {} })
  const service = startChild('service-process.ts')
  const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox'] })
  const end = async () => {
    await browser.close()
    await service.stop()
    await embedded.stop()
  }
  onceStopped(end)
  try {
    const started = await service.ask<Started>({ connection: embedded.connection, records: [0] })
    // Passkeys need a name, not an address.
    const url = started.url.replace('127.0.0.1', 'localhost')
    const [company] = started.companies as [Company]
    const begun = performance.now()
    const shop = await fillShop(caller(url, company))
    const cookieOf = (role: string) => signedIn(embedded.connection, url, company.companyId, role)
    const cookies = { owner: await cookieOf('owner'), viewer: await cookieOf('viewer') }
    say(`The shop was filled in ${((performance.now() - begun) / 1_000).toFixed(1)} s.`)
    const done: Done[] = []
    for (const job of [...selling, ...catalogue, ...running].filter(({ name }) => name.includes(options.only))) {
      say(job.name)
      try {
        done.push(await work({ browser, url, shop, cookies }, job))
      } catch (error) {
        process.exitCode = 1
        say(`  NOT DONE: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    console.log(tableOf(done))
  } finally {
    await end()
  }
}

await main()
