// Where a form begins: at its first input, not at the button that closes its dialog.
import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the first input of a form when it appears, in a page only if wanted. Not on phones, where the keyboard would cover the form. */
export function useFirstInput(isWanted = false): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears.
  useEffect(() => {
    const first = form.current?.querySelector<HTMLInputElement>('input:not([type="radio"], [type="checkbox"])')
    const isDialog = form.current?.closest('[role="dialog"]') !== null
    if (!(isWanted || isDialog) || first?.type !== 'text' || !matchMedia('(pointer: fine)').matches) return
    // Otherwise a drawer gives the focus to its first button a moment later.
    first.setAttribute('data-autofocus', 'true')
    first.focus()
  }, [])
  return form
}
