// Submitting a form: whether it is under way, the server's errors, and the idempotency key.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type ApiProblem, asProblem, withoutErrorsOf } from '../api/problem.ts'
import { newIdempotencyKey } from '../api/request.ts'

export interface Submission {
  readonly isBusy: boolean
  /** The error of the last attempt. */
  readonly problem: ApiProblem | undefined
  /** Whether the last attempt may have been carried out, such as when its response was lost. */
  readonly isUnknown: boolean
  readonly forget: () => void
  /** Drops the errors about a member, which is being corrected. */
  readonly correct: (member: string) => void
  /** Sends; `key` stays the same as long as the outcome of the previous attempt is unknown. */
  readonly run: (send: (key: string) => Promise<unknown>) => Promise<void>
}

/** A key that outlives its form, for `useSubmission` in it. */
export interface Kept {
  current: string
  /** What it is for. Without a name it is not kept over a reload of the page. */
  readonly name: string | undefined
}

/** Later, what is sent again is more likely another one, such as the same amount put into a drawer. */
const KEPT_MS = 15 * 60_000

/** The key of an attempt whose outcome is unknown, if it was made lately. */
function lately(name: string | undefined): string | undefined {
  const [key, at] = (name && sessionStorage.getItem(name)?.split(' ')) || []
  return Date.now() - Number(at) < KEPT_MS ? key : undefined
}

/**
 * A key to keep above a form that can be closed and opened again. While the outcome of an attempt is unknown, the tab keeps the key
 * of a name also over a reload, for a quarter of an hour: what is then sent again is done once.
 */
export const useKept = (name?: string): Kept =>
  useState(() => ({ current: lately(name) ?? newIdempotencyKey(), name }))[0]

/** Takes another key, since the outcome of the attempt is known. */
function renew(kept: Kept): void {
  if (kept.name) sessionStorage.removeItem(kept.name)
  kept.current = newIdempotencyKey()
}

/** `kept` is from `useKept`; without it, the key is gone with the form. */
export function useSubmission(kept?: Kept): Submission {
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const own = useKept()
  const key = kept ?? own
  const sender = useSender(problem, isBusy)

  async function run(send: (key: string) => Promise<unknown>): Promise<void> {
    sender.current = document.activeElement
    setBusy(true)
    setProblem(undefined)
    try {
      if (key.name) sessionStorage.setItem(key.name, `${key.current} ${Date.now()}`)
      await send(key.current)
      renew(key)
    } catch (error) {
      const found = asProblem(error)
      setProblem(found)
      if (isSettled(found)) renew(key)
    } finally {
      setBusy(false)
    }
  }

  const forget = useCallback(() => setProblem(undefined), [])
  const correct = useCallback((member: string) => setProblem((before) => before && withoutErrorsOf(before, member)), [])
  const isUnknown = problem !== undefined && !isSettled(problem)
  return { isBusy, problem, isUnknown, forget, correct, run }
}

/** The first input of a form that shows an error. */
export const firstWrong = (form: Element | null): HTMLElement | null =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null

/**
 * The element that had the focus when the form was sent. After a refusal the first wrong input gets the focus, or else that
 * element, as after a success: a button loses it while it is disabled, and then Tab would begin at the top of the page.
 */
function useSender(problem: ApiProblem | undefined, isBusy: boolean): RefObject<Element | null> {
  const sender = useRef<Element>(null)
  useEffect(() => {
    if (isBusy) return
    const from = sender.current
    sender.current = null
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== from
    if (isElsewhere || !(from instanceof HTMLElement)) return
    const wrong = problem && firstWrong(from.closest('form'))
    if (wrong) wrong.focus()
    // The message is in view; a button at the end of the page would scroll it away.
    else from.focus({ preventScroll: true })
  }, [problem, isBusy])
  return sender
}

/** Whether nothing was done or is under way: else another body with the same key would be refused. */
const isSettled = ({ status, code }: ApiProblem): boolean =>
  status >= 400 && status < 500 && ![401, 403, 429].includes(status) && code !== 'idempotency_in_progress'
