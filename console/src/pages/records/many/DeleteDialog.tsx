// The question before all selected records are deleted, with what refers to them.
import { Stack } from '@mantine/core'
import type { RecordData } from '../../../api/records.ts'
import type { Resource } from '../../../api/resources.ts'
import { Confirm } from '../../../parts/confirm.tsx'
import { text } from '../../../texts/many.ts'
import { text as single } from '../../../texts/records.ts'
import { Dependents, useDependents } from '../Dependents.tsx'
import { removeMany, restoreMany } from './bulk-changes.ts'
import type { Many } from './use-many.ts'

/** Records whose dependents are counted: each takes a request for each kind that can refer to it. */
const mostCounted = 20

interface DeleteDialogProps {
  readonly resource: Resource
  readonly count: number
  readonly many: Many
  /** The selected records; those shown if all that match are selected. */
  readonly records: readonly RecordData[]
  readonly close: () => void
}

export function DeleteDialog({ resource, count, many, records, close }: DeleteDialogProps) {
  const ids = records.slice(0, mostCounted).map(({ id }) => id)
  const dependents = useDependents(resource, ids, true)
  const { scope, targetOf } = many
  const isSoft = resource.remove === 'soft'
  // Of one record, as on its page.
  const { deleteSoft, deleteHard, refers, refersNone } = count === 1 ? single : text
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
        {count > ids.length && <span>{text.refersFirst(ids.length)}</span>}
        <Dependents dependents={dependents} refers={refers} none={refersNone} />
      </Stack>
    </Confirm>
  )
}
