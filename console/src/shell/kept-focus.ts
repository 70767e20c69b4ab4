// Gives the focus back where what had it is gone: a dialog that a menu opened leaves it to an entry that is no longer there.

/** So many of what had the focus before are remembered. */
const most = 10

/** Begins to look after the focus; once, for as long as the page is open. */
export function keepFocus(): void {
  const before: HTMLElement[] = []
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === before.at(-1)) return
    before.push(target)
    if (before.length > most) before.shift()
  })

  function giveBack() {
    // Who pressed on an empty place wants it to be nowhere; there, what had it is still in the page.
    const isLost = document.activeElement === document.body && before.at(-1)?.isConnected === false
    if (isLost) before.findLast(({ isConnected }) => isConnected)?.focus({ preventScroll: true })
  }
  // After what the key has done; and before the next one goes from there, where that took longer.
  document.addEventListener('keyup', () => setTimeout(giveBack, 50))
  document.addEventListener('keydown', ({ key }) => key === 'Tab' && giveBack(), { capture: true })
}
