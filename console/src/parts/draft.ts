// The unsaved input of a form: the values, which of them changed, and what must be sent.
import { useCallback, useMemo, useRef, useState } from 'react'
import type { RecordData } from '../api/records.ts'
import type { Member } from '../api/resources.ts'

export type Values = Readonly<Record<string, any>>

export interface Draft {
  readonly values: Values
  readonly set: (name: string, value: unknown) => void
  /** Members that differ from the record. */
  readonly changed: readonly string[]
  /** Whether something typed would be lost; the initial values of a new record do not count. */
  readonly isTyped: boolean
  /** Members to send: on create all that are set; on update those that changed, null for a cleared one. */
  readonly body: Readonly<Record<string, unknown>>
  /** Restarts from a record; what was typed since `sent` was sent stays. */
  readonly reset: (record: RecordData | undefined, sent?: Values) => void
}

const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
const canonical = (value: unknown): string =>
  value === undefined || value === null || value === '' ? '' : JSON.stringify(value)

/** Members that differ between two records. */
export const differing = (members: readonly string[], a: Values, b: Values): string[] =>
  members.filter((member) => !isSame(a[member], b[member]))

/** Columns of a custom table are merged one by one, so a cleared one has to be sent as null. */
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
