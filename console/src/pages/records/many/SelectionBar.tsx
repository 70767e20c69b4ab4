// The bar below a list with selected rows: what can be done with them, and what became of it.
import { Button, CloseButton, Modal, Stack, Table, Text } from '@mantine/core'
import { IconPencil, IconTag, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { useCanWrite } from '../../../api/company.ts'
import type { ListQuery, RecordData } from '../../../api/records.ts'
import type { Resource } from '../../../api/resources.ts'
import { useTitleOf } from '../../../parts/record-title.ts'
import { text } from '../../../texts/many.ts'
import { LabelsButton } from '../../labels/LabelsButton.tsx'
import { ExportButton } from '../ExportButton.tsx'
import type { Outcome } from './bulk-changes.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { EditDialog } from './EditDialog.tsx'
import classes from './SelectionBar.module.css'
import type { RowSelection } from './selection.ts'
import { TagDialog } from './TagDialog.tsx'
import { useMany } from './use-many.tsx'

interface SelectionBarProps {
  readonly resource: Resource
  readonly selection: RowSelection
  readonly query: ListQuery
  readonly columns: ComponentProps<typeof ExportButton>['columns']
  readonly rows: readonly RecordData[]
  /** How many records the query finds, if known. */
  readonly total: number | undefined
}

export function SelectionBar({ resource, selection, query, columns, rows, total }: SelectionBarProps) {
  const many = useMany(resource, selection, query)
  const [open, setOpen] = useState<'edit' | 'tag' | 'delete'>()
  const { count } = selection
  const dialog = { count, many, close: () => setOpen(undefined) }
  const known = [...new Set(rows.flatMap(({ tags }) => (Array.isArray(tags) ? (tags as string[]) : [])))].sort()
  return (
    <>
      {(count > 0 || many.progress !== undefined) && (
        <section className={classes.bar} aria-label={text.bar}>
          <Text size="sm" fw={600} className="numbers" role="status">
            {many.progress ?? text.selected(count)}
          </Text>
          {!selection.isAll && total !== undefined && total > count && selection.shown === 'all' && (
            <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
              {text.selectMatching(total)}
            </Button>
          )}
          <div className={classes.actions}>
            {!selection.isAll && <LabelsButton many={resource.many} records={selection.records} />}
            <Actions resource={resource} isBusy={many.progress !== undefined} open={setOpen} />
            <ExportButton
              {...{ resource, columns, query, count }}
              {...(!selection.isAll && { records: selection.records })}
              label={text.export}
              size="xs"
            />
          </div>
          <CloseButton aria-label={text.clear} onClick={selection.clear} disabled={many.progress !== undefined} />
        </section>
      )}
      {open === 'edit' && <EditDialog {...dialog} resource={resource} />}
      {open === 'tag' && <TagDialog {...dialog} known={known} />}
      {open === 'delete' && (
        <DeleteDialog {...dialog} resource={resource} records={selection.isAll ? rows : selection.records} />
      )}
      {many.failure && <Failed many={resource.many} outcome={many.failure} close={many.forget} />}
    </>
  )
}

interface ActionsProps {
  readonly resource: Resource
  readonly isBusy: boolean
  readonly open: (dialog: 'edit' | 'tag' | 'delete') => void
}

function Actions({ resource, isBusy, open }: ActionsProps) {
  const hasTags = resource.members.some(({ name }) => name === 'tags')
  const shared = { size: 'xs', variant: 'default', disabled: isBusy } as const
  if (!useCanWrite()) return null
  return (
    <>
      <Button {...shared} leftSection={<IconPencil size={15} />} onClick={() => open('edit')}>
        {text.edit}
      </Button>
      {hasTags && (
        <Button {...shared} leftSection={<IconTag size={15} />} onClick={() => open('tag')}>
          {text.tag}
        </Button>
      )}
      <Button {...shared} leftSection={<IconTrash size={15} />} onClick={() => open('delete')}>
        {text.delete}
      </Button>
    </>
  )
}

/** The records that failed, each with its reason. */
function Failed({ many, outcome, close }: { many: string; outcome: Outcome; close: () => void }) {
  const titleOf = useTitleOf()
  const { done, failed, stopped } = outcome
  return (
    <Modal opened onClose={close} title={text.failedTitle(failed.length)} size="lg">
      <Stack gap="md">
        <Text size="sm">{stopped === undefined ? text.failedHint : `${text.stopped(done.length)} ${stopped}`}</Text>
        {failed.length > 0 && (
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.record}</Table.Th>
                <Table.Th>{text.reason}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {failed.map(({ record, message }) => (
                <Table.Tr key={record.id}>
                  <Table.Td className="name">
                    <bdi>{titleOf(many, record)}</bdi>
                  </Table.Td>
                  <Table.Td>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Button ml="auto" onClick={close} data-autofocus>
          {text.close}
        </Button>
      </Stack>
    </Modal>
  )
}
