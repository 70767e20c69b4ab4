// Where a form begins: at its first input, not at the button that closes its dialog.
import { type RefObject, useEffect, useRef } from 'react'

/** Whether an input may have the focus from the start: not on phones, where the keyboard would cover the rest. */
export const mayBeginInInput = (): boolean => matchMedia('(pointer: fine)').matches

/** Props of the input in which a dialog begins. */
export const firstInput = () => ({ 'data-autofocus': mayBeginInInput() || undefined })

/** Focuses the first input of a form when it appears, in a page only if wanted; not on phones. */
export function useFirstInput(isWanted = false): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears.
  useEffect(() => {
    const first = form.current?.querySelector<HTMLInputElement>('input:not([type="radio"], [type="checkbox"])')
    const isDialog = form.current?.closest('[role="dialog"]') !== null
    if (!(isWanted || isDialog) || first === null || first === undefined) return
    if (!['text', 'search'].includes(first.type) || !mayBeginInInput()) return
    // Otherwise a drawer gives the focus to its first button a moment later.
    first.setAttribute('data-autofocus', 'true')
    first.focus()
  }, [])
  return form
}
