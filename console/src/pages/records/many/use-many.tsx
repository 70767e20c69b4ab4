// What is done with the selected rows: progress, the result, undo, and the records that failed.
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhose } from '../../../api/company.ts'
import { type ListQuery, type RecordData, refresh } from '../../../api/records.ts'
import type { Resource } from '../../../api/resources.ts'
import { complain, notify } from '../../../parts/notices.ts'
import { text } from '../../../texts/many.ts'
import { text as shell } from '../../../texts/shell.ts'
import { type Outcome, readMatching, type Target } from './bulk-changes.ts'
import type { RowSelection } from './selection.ts'

interface Task {
  readonly run: (target: Target) => Promise<Outcome>
  readonly done: (count: number) => string
  /** Takes the change of these records back, which are given as they were before. */
  readonly undo?: (records: readonly RecordData[]) => Promise<Outcome>
}

export type Many = ReturnType<typeof useMany>

export function useMany(resource: Resource, selection: RowSelection, query: ListQuery) {
  const whose = useWhose()
  const client = useQueryClient()
  const [progress, setProgress] = useState<string>()
  const [failure, setFailure] = useState<Outcome>()
  const show = (done: number, all: number) => setProgress(text.progress(done, all))

  /** The selected records; all pages are read if all are selected. */
  const read = async () => (selection.isAll ? await readMatching(whose, resource.many, query, show) : selection.records)

  const targetOf = (records: readonly RecordData[]): Target => ({
    one: resource.one,
    many: resource.many,
    records,
    progress: show,
  })

  async function carryOut({ run, done, undo }: Task): Promise<void> {
    show(0, selection.count)
    try {
      const outcome = await run(targetOf(await read()))
      if (outcome.failed.length > 0 || outcome.stopped !== undefined) setFailure(outcome)
      selection.select(outcome.failed.map(({ record }) => record))
      if (outcome.done.length === 0) {
        if (outcome.failed.length === 0 && outcome.stopped === undefined) notify(text.unchanged)
      } else if (undo === undefined) notify(done(outcome.done.length))
      else offerUndo(done(outcome.done.length), () => takeBack(undo, outcome.done))
    } catch (error) {
      complain(error)
    } finally {
      setProgress(undefined)
      await refresh(client, whose.companyId, resource.many)
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
      await refresh(client, whose.companyId, resource.many)
    }
  }

  return { whose, progress, failure, forget: () => setFailure(undefined), carryOut, read, targetOf }
}

/** Says what was done, with a button that takes it back. */
function offerUndo(message: string, undo: () => Promise<void>): void {
  const id = `undo-${message}-${Date.now()}`
  notifications.show({
    id,
    autoClose: 12_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id)
            void undo()
          }}
        >
          {shell.undo}
        </Button>
      </Group>
    ),
  })
}
