// A person at the console: acts by clicks, keys and scans, and counts them.
import type { FileChooser, Locator, Page } from 'playwright-core'

/** Seconds of the keystroke-level model (Card, Moran and Newell, 1980), which estimates the time of a practised person. */
const KEY = 0.28
const POINT = 1.1
const CLICK = 0.1
const MENTAL = 1.35
const HOMING = 0.4

/** What a job took: of the person's hands, and of the estimate for them. */
export interface Counts {
  clicks: number
  /** Characters of texts that were typed. */
  characters: number
  /** Keys that are no text: Enter, Tab, Ctrl-K. */
  keys: number
  scans: number
  /** Pages that were opened after the start page. */
  pages: number
  estimatedSeconds: number
}

export const noCounts = (): Counts => ({
  clicks: 0,
  characters: 0,
  keys: 0,
  scans: 0,
  pages: 0,
  estimatedSeconds: 0,
})

export interface Person {
  readonly page: Page
  click(target: Locator): Promise<void>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
  /** Clicks into an input and types. */
  fill(target: Locator, text: string): Promise<void>
  /** Presses a key such as `Enter`, or several at once such as `Control+k`. */
  press(keys: string): Promise<void>
  /** Scans a barcode: the scanner types it and presses Enter. */
  scan(code: string): Promise<void>
  /** Clicks a button that asks for a file, and chooses one in the dialog of the system: two more clicks. */
  choose(target: Locator, file: Parameters<FileChooser['setFiles']>[0]): Promise<void>
  /** Waits until it is visible. */
  see(target: Locator): Promise<void>
}

type Hand = 'mouse' | 'keyboard'

/** A person that acts on a page, and adds what that takes to `counts`. */
export function personAt(page: Page, counts: Counts): Person {
  let hand: Hand = 'mouse'
  let isTyping = false
  countPages(page, counts)
  const use = (next: Hand) => {
    if (hand !== next) counts.estimatedSeconds += HOMING
    hand = next
  }
  const point = () => {
    use('mouse')
    isTyping = false
    counts.clicks++
    counts.estimatedSeconds += POINT + CLICK
  }

  const person: Person = {
    page,
    async click(target) {
      counts.estimatedSeconds += MENTAL
      point()
      await target.click()
    },
    async type(text) {
      use('keyboard')
      isTyping = true
      counts.characters += text.length
      counts.estimatedSeconds += text.length * KEY
      await page.keyboard.type(text)
    },
    async fill(target, text) {
      await person.click(target)
      await person.type(text)
    },
    async press(keys) {
      use('keyboard')
      // The key that ends a typed text belongs to it; any other is decided first.
      const count = keys.split('+').length
      counts.keys += count
      counts.estimatedSeconds += (isTyping ? 0 : MENTAL) + count * KEY
      isTyping = false
      await page.keyboard.press(keys)
    },
    async scan(code) {
      use('mouse')
      isTyping = false
      counts.scans++
      // The model knows no scanner: it is aimed and pressed like a mouse.
      counts.estimatedSeconds += POINT + CLICK
      await page.keyboard.type(code)
      await page.keyboard.press('Enter')
    },
    async choose(target, file) {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), person.click(target)])
      point()
      point()
      await chooser.setFiles(file)
    },
    see: (target) => target.waitFor(),
  }
  return person
}

/** Counts each change of the path: an address that keeps a filter or an open drawer is the same page. */
function countPages(page: Page, counts: Counts): void {
  const pathOf = () => new URL(page.url()).pathname
  let last = pathOf()
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || pathOf() === last) return
    last = pathOf()
    counts.pages++
  })
}
