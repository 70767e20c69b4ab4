// What is typed into a form and not saved yet: the values, what of them has changed, and what must be sent for it.
import { useCallback, useMemo, useRef, useState } from 'react'
import type { RecordData } from '../api/records.ts'
import type { Member } from '../api/resources.ts'

export type Values = Readonly<Record<string, any>>

export interface Draft {
  readonly values: Values
  readonly set: (name: string, value: unknown) => void
  /** Members that are another than in the record. */
  readonly changed: readonly string[]
  /** Whether anything is typed that would be lost; what a new record begins with is not. */
  readonly isTyped: boolean
  /** Members to send: on create all that are set, on an update those that changed, null for one that was emptied. */
  readonly body: Readonly<Record<string, unknown>>
  /** Begins anew from a record; what was typed since `sent` was sent stays. */
  readonly reset: (record: RecordData | undefined, sent?: Values) => void
}

const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
const canonical = (value: unknown): string =>
  value === undefined || value === null || value === '' ? '' : JSON.stringify(value)

/** Members of two records that are not the same. */
export const differing = (members: readonly string[], a: Values, b: Values): string[] =>
  members.filter((member) => !isSame(a[member], b[member]))

/** Columns of a custom table are merged one by one, so that one that was emptied has to be sent as null. */
const cleared = (before: Values | undefined, now: Values): Values => ({
  ...Object.fromEntries(Object.keys(before ?? {}).map((column) => [column, null])),
  ...now,
})

export function useDraft(record: RecordData | undefined, members: readonly Member[], initial: Values = {}): Draft {
  const [typed, setTyped] = useState<Values>({})
  const base = useRef<Values>(record ?? initial)
  const isStored = useRef(record !== undefined)
  const names = useMemo(() => members.filter(({ isServerOwned }) => !isServerOwned).map(({ name }) => name), [members])
  const values = useMemo(() => ({ ...base.current, ...typed }), [typed])
  const changed = useMemo(() => differing(names, values, isStored.current ? base.current : {}), [names, values])
  const isTyped = useMemo(() => differing(names, values, base.current).length > 0, [names, values])
  const body = useMemo(() => {
    const merging = new Set(
      members.filter(({ schema }) => schema.additionalProperties === false).map(({ name }) => name),
    )
    return Object.fromEntries(
      changed.map((name) => {
        const value = values[name] === undefined || values[name] === '' ? null : values[name]
        return [name, merging.has(name) && value !== null ? cleared(base.current[name], value) : value]
      }),
    )
  }, [changed, values, members])
  const set = useCallback((name: string, value: unknown) => setTyped((before) => ({ ...before, [name]: value })), [])
  const reset = useCallback((next: RecordData | undefined, sent?: Values) => {
    base.current = next ?? {}
    isStored.current = next !== undefined
    setTyped((before) =>
      sent === undefined
        ? {}
        : Object.fromEntries(Object.entries(before).filter(([name, value]) => value !== sent[name])),
    )
  }, [])
  return { values, set, changed, isTyped, body, reset }
}
