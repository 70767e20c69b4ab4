// A form over one version of a record: what is typed, its saving, and no change of others written over.
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ApiProblem, asProblem, messagesByPointer } from '../api/problem.ts'
import type { Versioned } from '../api/records.ts'
import type { Member } from '../api/resources.ts'
import { text } from '../texts/records.ts'
import type { ConflictState } from './Conflict.tsx'
import { type Draft, differing, useDraft, type Values } from './draft.ts'
import { tell } from './notices.ts'
import { useSubmission } from './submission.ts'
import { isUnreadable, refuseUnreadable } from './unreadable.ts'

interface FormOptions {
  /** The record as it was read; without it a new one is made. */
  readonly versioned: Versioned | undefined
  /** Members that the form shows; must stay the same from one drawing to the next. */
  readonly members: readonly Member[]
  /** What a new record begins with. */
  readonly initial?: Values | undefined
  /** Reads the record as it is now, once somebody else has changed it. Rejects with 404 where it is gone. */
  readonly read: (id: string) => Promise<Versioned>
  /** Creates the record, once for each key, or changes the version of it that was read. */
  readonly write: (body: Values, over: Versioned | undefined, key: string) => Promise<Versioned>
  readonly onSaved?: ((saved: Versioned, isNew: boolean) => void) | undefined
  /** Hears whether something typed would be lost by closing the form. */
  readonly onDirty?: ((isDirty: boolean) => void) | undefined
  /** Said when it is saved; nothing where it is empty. */
  readonly said?: string | undefined
}

export interface VersionedForm {
  readonly draft: Draft
  /** The version that a save is made of; undefined: there is none yet. */
  readonly version: Versioned | undefined
  readonly isNew: boolean
  readonly isBusy: boolean
  /** Whether something typed would be lost by leaving. */
  readonly isDirty: boolean
  readonly problem: ApiProblem | undefined
  /** What the server says of members, by pointer. */
  readonly errors: ReadonlyMap<string, string>
  readonly conflict: ConflictState | undefined
  readonly closeConflict: () => void
  readonly write: (body: Values, over: Versioned | undefined) => Promise<void>
  readonly takeTheirs: (current: Versioned) => void
  readonly discard: () => void
  readonly submit: (event: FormEvent) => void
}

export function useVersionedForm(options: FormOptions): VersionedForm {
  const { versioned, members, initial, read, onSaved, onDirty, said } = options
  const client = useQueryClient()
  const draft = useDraft(versioned?.record, members, initial)
  const [version, setVersion] = useState(versioned)
  const [conflict, setConflict] = useState<ConflictState>()
  const { isBusy, problem, forget, run } = useSubmission()
  // Unreadable inputs show their own errors.
  const errors = useMemo(
    () => (problem?.errors.some(isUnreadable) ? new Map<string, string>() : messagesByPointer(problem)),
    [problem],
  )
  const latest = useRef(draft.values)
  latest.current = draft.values
  const own = members.filter(({ isServerOwned }) => !isServerOwned).map(({ name }) => name)
  const isNew = version === undefined
  // While it is being saved, too: that may fail.
  const isDirty = draft.isTyped
  const newest = useRef(versioned)
  const isOpen = useRef(false)

  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])

  // Another version was read: of members that are no concern of this form, or while nothing is typed here, it is taken as it
  // is. Else the difference is met when it is saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another version was read.
  useEffect(() => {
    newest.current = versioned ?? newest.current
    if (versioned === undefined || version === undefined || versioned.etag === version.etag || isBusy) return
    if (!draft.isTyped) draft.reset(versioned.record)
    else if (differing(own, version.record, versioned.record).length > 0) return
    setVersion(versioned)
  }, [versioned])

  function begin(from: Versioned, sent?: Values) {
    newest.current = from
    setConflict(undefined)
    setVersion(from)
    draft.reset(from.record, sent)
  }

  const write = (body: Values, over: Versioned | undefined): Promise<void> =>
    run(async (key) => {
      const sent = draft.values
      try {
        refuseUnreadable(body)
      } catch (error) {
        setConflict(undefined)
        throw error
      }
      const saved = await options.write(body, over, key).catch((error) => {
        // What the server says stands in the form, over which no question may lie.
        setConflict(undefined)
        if (over === undefined || asProblem(error).status !== 412) throw error
        return meet(over, sent)
      })
      if (saved === undefined) return
      // Who typed on meanwhile has not finished: the form stays.
      const isDone = latest.current === sent
      // At once, so that nothing counts as typed any more when the form is left.
      flushSync(() => begin(saved, sent))
      if (said !== '') tell(said ?? (isNew ? text.created : text.saved))
      // Where the form was closed meanwhile, another one may stand in its place.
      if (isDone && isOpen.current) onSaved?.(saved, isNew)
    })

  /**
   * Somebody else was first: shows what they made of it. Where it is just as it was sent, it is answered instead: that was
   * this form, and the answer was lost.
   */
  async function meet({ record }: Versioned, sent: Values): Promise<Versioned | undefined> {
    try {
      const current = await read(record.id)
      newest.current = current
      const isGone = current.record.isDeleted === true
      const wanted = differing(own, record, sent)
      if (!isGone && differing(wanted, current.record, sent).length === 0) {
        // Lists know nothing of it yet.
        void client.invalidateQueries()
        return current
      }
      setConflict({
        current: isGone ? undefined : current,
        changed: differing(own, record, latest.current),
        typed: latest.current,
      })
    } catch (error) {
      if (asProblem(error).status !== 404) throw error
      setConflict({ current: undefined, changed: [], typed: {} })
    }
    return undefined
  }

  return {
    ...{ draft, version, isNew, isBusy, isDirty, problem, errors, conflict, write },
    closeConflict: () => setConflict(undefined),
    takeTheirs: begin,
    discard: () => {
      forget()
      if (newest.current !== undefined) begin(newest.current)
    },
    submit: (event) => {
      // React also tells of the forms of drawers that were opened from within this one.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      const set = Object.entries(draft.body).filter(([, value]) => value !== null)
      void write(isNew ? Object.fromEntries(set) : draft.body, version)
    },
  }
}
