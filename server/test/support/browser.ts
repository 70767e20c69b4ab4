// A real browser for tests of the console: Chromium where one is found, with everything that its pages complain of.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, type TestContext, test } from 'node:test'
import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import type { Browser as SignedIn } from './people.ts'
import type { TestService } from './service.ts'

/** Where Debian, Ubuntu and others put it; `CHROMIUM` names another place. */
const places = [
  process.env.CHROMIUM,
  // The same browser without windows: its pages come in two thirds of the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]

/** The program; undefined where there is none. */
const chromiumPath = places.find((path) => path !== undefined && existsSync(path))

const missing = 'No Chromium is found: `apt-get install chromium-headless-shell`, or name one in CHROMIUM.'

/** A test in the browser, which is passed over, and says so, where there is no Chromium. */
export function browserTest(name: string, run: (context: TestContext) => Promise<void>): void {
  test(name, { skip: chromiumPath === undefined && missing }, run)
}

interface TestBrowser {
  /** A new window, in which somebody is signed in where it is said who. What its pages throw or log as an error fails `page.done`. */
  open(options?: OpenOptions): Promise<Window>
}

interface OpenOptions {
  readonly signedIn?: SignedIn
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Whose numbers and dates are written and read. */
  readonly locale?: string
  readonly permissions?: string[]
  /** Errors of the page's log that the test causes on purpose, such as refused requests. */
  readonly expects?: RegExp
}

interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** Another tab of the same window. */
  tab(): Promise<Page>
  /** Goes to an address of the console, given without `/console`. */
  go(path: string, page?: Page): Promise<void>
  /** The window's pages are somebody's from now on, as if that one had signed in in another tab. */
  become(signedIn: SignedIn): Promise<void>
  /** Fails where a page has thrown or logged an error by now, or asked another host for anything. */
  quiet(): void
  /** Fails for each rule of accessibility that the page breaks; of some rules only, or within what a selector names, where it is said. */
  accessible(page?: Page, only?: { readonly rules?: string[]; readonly within?: string }): Promise<void>
}

/** One browser for a test file, over the service of that file; where it is said so, one that goes back to pages as they looked. */
export function testBrowser(service: TestService, { keepsPages = false } = {}): TestBrowser {
  let browser: Browser | undefined
  before(async () => {
    if (chromiumPath === undefined) return
    browser = await chromium.launch({
      executablePath: chromiumPath,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
      ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    })
  })
  after(() => browser?.close())

  return {
    async open(options = {}) {
      const { signedIn, width = 1280, colorScheme = 'light', locale = 'en-GB', permissions, expects = /$^/ } = options
      assert.ok(browser)
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        locale,
        timezoneId: 'Europe/Vienna',
        reducedMotion: 'reduce',
        ...(permissions && { permissions }),
      })
      context.setDefaultTimeout(20_000)
      const become = async ({ cookie }: SignedIn) => {
        const [name = '', value = ''] = cookie.split('=')
        await context.addCookies([{ name, value, url: service.url, httpOnly: true, sameSite: 'Strict' }])
      }
      if (signedIn) await become(signedIn)
      const complaints: string[] = []
      const watch = (page: Page) => {
        page.on('pageerror', (error) => complaints.push(String(error)))
        page.on('console', (message) => {
          if (message.type() === 'error' && !expects.test(message.text())) complaints.push(message.text())
        })
        page.on('request', (request) => {
          const { origin, protocol } = new URL(request.url())
          if (/^https?:$/.test(protocol) && origin !== new URL(service.url).origin)
            complaints.push(`asked ${request.url()}`)
        })
        return page
      }
      const page = watch(await context.newPage())
      const go = async (path: string, where = page) => {
        await where.goto(`${service.url}/console${path}`)
      }
      return {
        page,
        context,
        go,
        become,
        tab: async () => watch(await context.newPage()),
        quiet: () => assert.deepEqual(complaints, []),
        async accessible(where = page, { rules, within } = {}) {
          // Without frames of other origins there is nothing that the other way, which opens a second page, would find.
          const scan = new AxeBuilder({ page: where }).setLegacyMode()
          if (rules) scan.withRules(rules)
          if (within) scan.include(within)
          const { violations } = await scan.analyze()
          const found = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
          )
          assert.deepEqual(found, [], `at ${where.url()}`)
        },
      }
    },
  }
}
