// The question before the selected records are deleted. For a single record it shows what refers to it, as on the record's page.
import { Stack } from '@mantine/core'
import type { RecordData } from '../../../api/records.ts'
import type { Resource } from '../../../api/resources.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { text } from '../../../texts/many.ts'
import { text as single } from '../../../texts/records.ts'
import { Dependents, useDependents } from '../Dependents.tsx'
import { removeMany, restoreMany } from './bulk-changes.ts'
import type { Many } from './use-many.ts'

interface DeleteDialogProps {
  readonly resource: Resource
  readonly count: number
  readonly many: Many
  /** The selected records; those shown if all that match are selected. */
  readonly records: readonly RecordData[]
  readonly close: () => void
}

export function DeleteDialog({ resource, count, many, records, close }: DeleteDialogProps) {
  const isOne = count === 1
  const dependents = useDependents(resource, records[0]?.id, isOne)
  const { scope, targetOf } = many
  const isSoft = resource.remove === 'soft'
  const { deleteSoft, deleteHard } = isOne ? single : text
  return (
    <Confirm
      opened
      close={close}
      title={text.deleteTitle(count)}
      action={text.deleteAll(count)}
      isWaiting={dependents.isCounting}
      run={async () => {
        void many.carryOut({
          run: (target) => removeMany(scope, target),
          done: text.deleted,
          ...(isSoft && { undo: (before) => restoreMany(scope, targetOf(before)) }),
        })
      }}
    >
      <Stack gap="xs">
        <span>{isSoft ? deleteSoft : deleteHard}</span>
        {isOne ? <Dependents dependents={dependents} /> : <span>{text.refers}</span>}
      </Stack>
    </Confirm>
  )
}
