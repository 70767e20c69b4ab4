// A real browser for tests of the console: Chromium where one is found, with everything that its pages complain of.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Result, RunOptions, run } from 'axe-core'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Browser as SignedIn } from './people.ts'
import type { TestService } from './service.ts'
import { afterAllFiles, outsideOfTests } from './shared.ts'

/** Its path on Debian, Ubuntu and others; `CHROMIUM` sets another one. */
const places = [
  process.env.CHROMIUM,
  // The same browser without windows: pages load in two thirds of the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
]

/** The program; undefined if it is not installed. */
const chromiumPath = places.find((path) => path !== undefined && existsSync(path))

const missing = 'No Chromium is found: `apt-get install chromium-headless-shell`, or name one in CHROMIUM.'

/** A test that takes longer has a browser that no longer answers: Playwright waits for a key press or `evaluate` without end. */
const mostMs = 180_000

/** A test in the browser, which is skipped, with a message, if there is no Chromium. Its windows are closed at its end. */
export function browserTest(name: string, run: (context: TestContext) => Promise<void>): void {
  test(name, { skip: chromiumPath === undefined && missing, timeout: mostMs }, async (context) => {
    try {
      await run(context)
    } finally {
      await closeWindows()
    }
  })
}

/** A window that tests use one after another: to load the console in a new one takes twice the processor time. */
interface PooledWindow {
  readonly context: BrowserContext
  readonly page: Page
  readonly options: BrowserContextOptions
  /** The origins that its pages may have stored something for. */
  readonly origins: Set<string>
  /** Whether the next test may have it. */
  readonly isReused: boolean
}

/** The windows of the test that runs, and those that the next one may have, by their options. */
const opened = new Set<PooledWindow>()
const idle = new Map<string, PooledWindow[]>()

/** Ends the use of the windows that are open: their pages would go on reading and painting beside the next test. */
async function closeWindows(): Promise<void> {
  const windows = [...opened]
  opened.clear()
  await Promise.all(windows.map(endUse))
}

async function endUse(window: PooledWindow): Promise<void> {
  const { context, options, isReused } = window
  // The test has closed it.
  if (window.page.isClosed()) return context.close()
  // What a test holds up, and never lets through, is no error.
  await Promise.all([context, ...context.pages()].map((held) => held.unrouteAll({ behavior: 'ignoreErrors' })))
  if (!isReused) return context.close()
  try {
    await forgetAll(window)
  } catch {
    // Such as that of a page that has crashed.
    return context.close()
  }
  const key = JSON.stringify(options)
  idle.set(key, [...(idle.get(key) ?? []), window])
}

/** What a page may tell a test of. */
const watched = ['console', 'dialog', 'download', 'filechooser', 'pageerror', 'popup', 'request', 'response'] as const

/** Leaves nothing of a test in a window: neither its pages and listeners nor cookies and what pages have stored. */
async function forgetAll({ context, page, options, origins }: PooledWindow): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of watched) page.removeAllListeners(event)
  await page.evaluate('sessionStorage.clear()').catch(() => {})
  await page.goto('about:blank')
  await page.mouse.move(0, 0)
  if (options.viewport) await page.setViewportSize(options.viewport)
  await page.emulateMedia({ media: null, colorScheme: options.colorScheme ?? null, reducedMotion: 'reduce' })
  await context.setOffline(false)
  await context.clearCookies()
  const session = await context.newCDPSession(page)
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers'
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes })
  await session.detach()
}

/** The browser that files of a process share. */
let shared: Promise<Browser> | undefined

function sharedBrowser(): Promise<Browser> {
  if (shared === undefined) {
    const starting = outsideOfTests(() => launch())
    afterAllFiles(async () => (await starting).close())
    shared = starting
  }
  return shared
}

const launch = (more: { ignoreDefaultArgs?: string[] } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath as string,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      // By default each navigation from `about:blank` starts a process: a load of the console takes twice the processor time.
      '--process-per-site',
      // A page ends before code that is compiled a second time, optimised, has paid: a load takes three quarters of the time without it.
      '--js-flags=--no-maglev --no-turbofan',
    ],
    ...more,
  })

interface TestBrowser {
  /** A new window, signed in if a user is given. What its pages throw or log as an error fails `page.done`. */
  open(options?: OpenOptions): Promise<Window>
}

interface OpenOptions {
  readonly signedIn?: SignedIn
  readonly width?: number
  /** Whether it is used with fingers. */
  readonly hasTouch?: boolean
  readonly colorScheme?: 'light' | 'dark'
  /** The locale of numbers and dates. */
  readonly locale?: string
  readonly permissions?: string[]
  /** Expected errors in the page's log, such as refused requests. */
  readonly expects?: RegExp
  /** The origin of another site that pages may go to. */
  readonly visits?: string
  /** Whether no other test has the window: for one whose clock, scripts or devices a test replaces. */
  readonly isOwn?: boolean
}

interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** Another tab of the same window. */
  tab(): Promise<Page>
  /** Goes to an address of the console, given without `/console`. */
  go(path: string, page?: Page): Promise<void>
  /** The window's pages belong to that person from now on, as after a sign-in in another tab. */
  become(signedIn: SignedIn): Promise<void>
  /** Fails if a page has thrown or logged an error, or sent a request to another host. */
  quiet(): void
  /** Fails for each accessibility rule that the page breaks; optionally only some rules, or within a selector. */
  accessible(page?: Page, only?: { readonly rules?: string[]; readonly within?: string }): Promise<void>
}

/** A browser with the service of a test file: that of the process, or one of its own with the back/forward cache if it `keepsPages`. */
export function testBrowser(service: TestService, { keepsPages = false } = {}): TestBrowser {
  let own: Promise<Browser> | undefined
  after(async () => (await own)?.close())
  const ownBrowser = () => {
    own ??= launch({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
    return own
  }

  return {
    async open(options = {}) {
      const {
        signedIn,
        width = 1280,
        hasTouch = false,
        colorScheme = 'light',
        locale = 'en-GB',
        permissions,
        expects = /$^/,
        visits,
        isOwn = keepsPages,
      } = options
      const pooled = await windowOf(await (keepsPages ? ownBrowser() : sharedBrowser()), isOwn, {
        viewport: { width, height: 800 },
        hasTouch,
        colorScheme,
        locale,
        timezoneId: 'Europe/Vienna',
        reducedMotion: 'reduce',
        ...(permissions && { permissions }),
      })
      const { context } = pooled
      for (const origin of [service.url, visits]) if (origin !== undefined) pooled.origins.add(origin)
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
          if (/^https?:$/.test(protocol) && origin !== new URL(service.url).origin && origin !== visits)
            complaints.push(`asked ${request.url()}`)
        })
        return page
      }
      const page = watch(pooled.page)
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
          const found = (await scan(where, rules, within)).map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
          )
          const pale = (await where.evaluate(paleControls)) as string[]
          assert.deepEqual([...found, ...pale], [], `at ${where.url()}`)
        },
      }
    },
  }
}

/** A window that the tests before have left, or a new one. */
async function windowOf(browser: Browser, isOwn: boolean, options: BrowserContextOptions): Promise<PooledWindow> {
  const left = isOwn ? undefined : idle.get(JSON.stringify(options))?.pop()
  const window = left ?? (await newWindow(browser, isOwn, options))
  opened.add(window)
  return window
}

async function newWindow(browser: Browser, isOwn: boolean, options: BrowserContextOptions): Promise<PooledWindow> {
  const context = await browser.newContext(options)
  // What never happens takes that long; on a loaded machine a page may take a third of it.
  context.setDefaultTimeout(60_000)
  return { context, page: await context.newPage(), options, origins: new Set(), isReused: !isOwn }
}

/** Without comments and long names it is loaded in two thirds of the time. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The accessibility rules that a page breaks. */
async function scan(page: Page, rules: readonly string[] | undefined, within = ':root'): Promise<Result[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource)
  // A page has no frames of other origins. Collecting what is right and where takes two thirds of the time of a scan.
  const options = { resultTypes: ['violations'], selectors: false, preload: false, iframes: false }
  return page.evaluate(
    ([within, options]) =>
      (globalThis as unknown as { axe: { run: typeof run } }).axe
        .run(within, options as RunOptions)
        .then(({ violations }) => violations),
    [within, { ...options, ...(rules && { runOnly: rules }) }] as const,
  )
}

/**
 * An expression for the controls whose boundary or placeholder has a contrast of less than 3:1 with what is behind it (WCAG 2.2, 1.4.11),
 * which axe does not check.
 */
const paleControls = `(() => {
  const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const parts = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (colour) => {
    const [red, green, blue] = parts(colour).map((value) => channel(value / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor
      if (colour.startsWith('rgb(')) return colour
    }
    return 'rgb(255, 255, 255)'
  }
  const pale = []
  const check = (element, what, colour, surface) => {
    const ratio = contrast(colour, surface)
    if (ratio < 3) pale.push(what + ' of ' + element.outerHTML.slice(0, 160) + ': ' + ratio.toFixed(2))
  }
  const controls = '.mantine-Input-input:not([data-variant="unstyled"]), .mantine-Checkbox-input, .mantine-Radio-radio, .mantine-Switch-track'
  for (const element of document.querySelectorAll(controls)) {
    const input = element.matches('.mantine-Switch-track') ? element.previousElementSibling : element
    if (input.disabled || !element.checkVisibility() || element.matches('[data-disabled]')) continue
    const { borderTopColor, backgroundColor } = getComputedStyle(element)
    check(element, 'edge', input === element ? borderTopColor : backgroundColor, behind(element.parentElement))
    if (input.placeholder && input.value === '')
      check(element, 'placeholder', getComputedStyle(input, '::placeholder').color, behind(input))
  }
  return pale
})()`
