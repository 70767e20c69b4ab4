// Presses everything on some pages that can be pressed, and reports what the service or the page refuses.
import type { Locator, Page } from 'playwright-core'

interface Pressed {
  readonly pressed: number
  /** The names of what was refused, with the response. */
  readonly refused: string[]
}

const pressable = 'button:enabled, [role="switch"]:enabled, [role="tab"], [role="checkbox"]:enabled, select:enabled'

/** Opens each page and presses everything in its main part, and the entries of the menus that this opens. */
export async function pressAll(page: Page, addresses: readonly string[]): Promise<Pressed> {
  const refused: string[] = []
  let pressed = 0
  let doing = ''
  // A dialog of the browser would wait for an answer.
  await page.addInitScript('window.print = () => {}')
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${doing}: ${response.status()} ${response.url()}`)
  })
  const press = async (target: Locator) => {
    doing = `${new URL(page.url()).pathname}: ${(await target.getAttribute('aria-label')) ?? (await target.textContent())}`
    await target.click()
    await page.waitForLoadState('networkidle')
    pressed++
    for (const text of await page.getByRole('alert').allInnerTexts()) refused.push(`${doing}: ${text}`)
  }
  for (const address of addresses) {
    const open = async () => {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      return page.getByRole('main').locator(pressable).filter({ visible: true })
    }
    const count = await (await open()).count()
    for (let n = 0; n < count; n++) {
      await press((await open()).nth(n))
      const entries = page.getByRole('menuitem').filter({ visible: true })
      for (let m = 0, all = await entries.count(); m < all; m++) {
        if (m > 0) await (await open()).nth(n).click()
        await press(entries.nth(m))
      }
    }
  }
  return { pressed, refused }
}
