// What is done with the selected rows: progress, the result, undo, and the records that failed.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../../../api/company.ts'
import { type ListQuery, type RecordData, refresh } from '../../../api/records.ts'
import type { Resource } from '../../../api/resources.ts'
import { complain, notify } from '../../../parts/notices.ts'
import { offerUndo } from '../../../parts/undo-notice.tsx'
import { text } from '../../../texts/many.ts'
import { type Outcome, type Phase, readMatching, type Target } from './bulk-changes.ts'
import type { RowSelection } from './selection.ts'

/** Milliseconds in which a change can be taken back. */
const undoMs = 12_000

interface Task {
  readonly run: (target: Target) => Promise<Outcome>
  readonly done: (count: number) => string
  /** Takes the change of these records back, which are given as they were before. */
  readonly undo?: (records: readonly RecordData[]) => Promise<Outcome>
}

export type Many = ReturnType<typeof useMany>

export function useMany(resource: Resource, selection: RowSelection, query: ListQuery) {
  const scope = useScope()
  const client = useQueryClient()
  const [progress, setProgress] = useState<string>()
  const [failure, setFailure] = useState<Outcome>()
  const show = (phase: Phase, done: number, all: number) => setProgress(text.progress[phase](done, all))

  /** The selected records; all pages are read if all are selected. */
  const read = async () => (selection.isAll ? await readMatching(scope, resource.many, query, show) : selection.records)

  const targetOf = (records: readonly RecordData[]): Target => ({
    one: resource.one,
    many: resource.many,
    records,
    progress: show,
  })

  /** Returns whether it did anything, or had nothing to do: otherwise it may be tried again. */
  async function carryOut({ run, done, undo }: Task): Promise<boolean> {
    show('reading', 0, selection.count)
    try {
      const records = await read()
      const outcome = await run(targetOf(records))
      if (outcome.failed.length > 0 || outcome.stopped !== undefined) setFailure(outcome)
      const left = leftOf(records, outcome)
      if (left.length < records.length) selection.select(left)
      if (outcome.done.length === 0) {
        if (outcome.failed.length === 0 && outcome.stopped === undefined) notify(text.unchanged)
      } else if (undo === undefined) notify(done(outcome.done.length))
      else
        offerUndo({
          id: `undo-${Date.now()}`,
          message: done(outcome.done.length),
          autoClose: undoMs,
          undo: () => void takeBack(undo, outcome.done),
        })
      return outcome.done.length > 0 || (outcome.failed.length === 0 && outcome.stopped === undefined)
    } catch (error) {
      complain(error)
      return false
    } finally {
      setProgress(undefined)
      await refresh(client, scope.companyId, resource.many)
    }
  }

  async function takeBack(undo: NonNullable<Task['undo']>, records: readonly RecordData[]) {
    try {
      const outcome = await undo(records)
      if (outcome.failed.length > 0 || outcome.stopped !== undefined) setFailure(outcome)
      if (outcome.done.length > 0) notify(text.undone(outcome.done.length))
    } catch (error) {
      complain(error)
    } finally {
      setProgress(undefined)
      await refresh(client, scope.companyId, resource.many)
    }
  }

  return { scope, progress, failure, forget: () => setFailure(undefined), carryOut, read, targetOf }
}

/** The records that stay selected: those that failed, or all that are not done if it stopped. */
function leftOf(records: readonly RecordData[], { done, failed, stopped }: Outcome): readonly RecordData[] {
  if (stopped === undefined) return failed.map(({ record }) => record)
  const doneIds = new Set(done.map(({ id }) => id))
  return records.filter(({ id }) => !doneIds.has(id))
}
