// Restores the focus when the focused element disappears, for example with a dialog that a menu opened, or with its page.
import type { AnyRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** The number of previously focused elements that are remembered. */
const most = 10
/** Milliseconds after a key: mostly its effects are over at the first, and on a slow device at the last. */
const afterMs = [50, 250, 1_000]

/** The elements that had the focus, the last one at the end. */
const before: HTMLElement[] = []
/** The elements around the last focused one, from the inside out. */
let around: readonly Element[] = []

const controls = 'a[href], button:enabled, input:enabled, textarea:enabled'

/** The last of these elements that is still in the page, or else the first control near them, such as in a list that was emptied. */
function nextBest(): HTMLElement | undefined {
  const last = before.findLast(({ isConnected }) => isConnected)
  if (last !== undefined) return last
  const near = around.filter(({ isConnected }) => isConnected)
  return near.flatMap((element) => element.querySelector<HTMLElement>(controls) ?? [])[0]
}

/** A click on an empty place removes the focus on purpose; the element that had it is then still in the page. */
const isLost = (): boolean => document.activeElement === document.body && before.at(-1)?.isConnected === false

function ancestorsOf(element: Element): readonly Element[] {
  const found: Element[] = []
  for (let at = element.parentElement; at !== null; at = at.parentElement) found.push(at)
  return found
}

/** Starts watching the focus, once, for as long as the page is open. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === before.at(-1)) return
    before.push(target)
    around = ancestorsOf(target)
    if (before.length > most) before.shift()
  })

  function giveBack() {
    if (isLost()) nextBest()?.focus({ preventScroll: true })
  }
  // After the effects of the key, but before the next key if those take longer.
  document.addEventListener('keyup', () => {
    for (const ms of afterMs) setTimeout(giveBack, ms)
  })
  document.addEventListener('keydown', ({ key }) => key === 'Tab' && giveBack(), { capture: true })
}

/**
 * Focuses the heading of a new page if the element that had the focus has disappeared with the page before, such as a form that has
 * created a record: a screen reader reads it, and Tab continues there. A list has the focus at the row of the record before.
 */
export function focusNewPages(router: AnyRouter): void {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged || document.activeElement !== document.body) return
    focusPage()
    // The rows of a list are drawn once it has its height and has scrolled to where it was.
    const row = `#content tr[data-index] a[href$="${CSS.escape(fromLocation.pathname)}"]`
    const focusRow = () => isFocusFree() && document.querySelector<HTMLElement>(row)?.focus({ preventScroll: true })
    requestAnimationFrame(() => requestAnimationFrame(focusRow))
  })
}

/** For a heading that appears late: until the page's record was read, the page as a whole has the focus. */
export function useLateHeading(): void {
  useEffect(() => {
    if (document.activeElement?.id === 'content') focusPage()
  }, [])
}

/** For a page whose buttons depend on a state of its record: if the one that had the focus is gone with the state before, the heading has it. */
export function useFocusOfState(state: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each change of the state.
  useEffect(() => {
    if (isLost()) focusPage()
  }, [state])
}

/** For a dialog after which the button that opened it may be gone, such as one that sells: then the heading of the page has the focus. */
export function useFocusAfter(opened: boolean): void {
  useEffect(() => {
    if (!opened) return
    return () => {
      for (const ms of afterMs) setTimeout(() => isLost() && focusPage(), ms)
    }
  }, [opened])
}

/** For a button that disappears while the page's record is read again: the page has the focus, and then its heading. */
export const focusWholePage = (): void => document.getElementById('content')?.focus({ preventScroll: true })

/** Whether no control has the focus: a button loses it while it is disabled, and a new page has it at its heading. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.matches('#content, #content h1') === true

/** Focuses the heading of the page, or else the page as a whole. */
export function focusPage(): void {
  const heading = document.querySelector<HTMLElement>('#content h1')
  if (heading !== null) heading.tabIndex = -1
  const page = heading ?? document.getElementById('content')
  page?.focus({ preventScroll: true })
}
