// Enter in a form that is filled in number by number, such as a count of cash: on to the next input, and at last to the button, which alone sends it.
import type { KeyboardEvent } from 'react'

const nextOnes = 'input:not([type="hidden"], [type="radio"]):not(:disabled), button[type="submit"]:not(:disabled)'

/** For the form's `onKeyDown`. A button takes Enter itself, and a list of choices takes it for the chosen one. */
export function enterGoesOn(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, defaultPrevented, currentTarget } = event
  if (key !== 'Enter' || defaultPrevented || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  // Those after it in the page; a disabled button is none, so the focus stays where it is.
  const next = [...currentTarget.querySelectorAll<HTMLElement>(nextOnes)].find(
    (one) => target.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
}
