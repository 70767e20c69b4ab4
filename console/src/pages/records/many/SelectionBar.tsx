// The bar below a list with selected rows: what can be done with them, and what became of it.
import { Button, CloseButton, Text } from '@mantine/core'
import { IconPencil, IconTag, IconTrash } from '@tabler/icons-react'
import { type ComponentProps, useState } from 'react'
import { useCanWrite } from '../../../api/company.ts'
import type { ListQuery, RecordData } from '../../../api/records.ts'
import type { Resource } from '../../../api/resources.ts'
import { isDeletable } from '../../../parts/settled.ts'
import { useLater } from '../../../parts/use-later.ts'
import { text } from '../../../texts/many.ts'
import { LabelsButton } from '../../labels/LabelsButton.tsx'
import { ExportButton } from '../ExportButton.tsx'
import { editableMembers } from './editable.ts'
import classes from './SelectionBar.module.css'
import type { RowSelection } from './selection.ts'
import { useMany } from './use-many.ts'

const load = () => import('./dialogs.ts')

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
  const [dialogs, want] = useLater(load)
  const { count } = selection
  const dialog = { count, many, close: () => setOpen(undefined) }
  const show = (chosen: typeof open) => {
    setOpen(chosen)
    want()
  }
  const known = [...new Set(rows.flatMap(({ tags }) => (Array.isArray(tags) ? (tags as string[]) : [])))].sort()
  return (
    <>
      {(count > 0 || many.progress !== undefined) && (
        <section className={`${classes.bar} screen-only`} aria-label={text.bar} data-saves>
          <Text size="sm" fw={600} role="status">
            {many.progress ?? text.selected(count)}
          </Text>
          {!selection.isAll && total !== undefined && total > count && selection.shown === 'all' && (
            <Button size="compact-sm" variant="subtle" onClick={selection.selectAll}>
              {text.selectMatching(total)}
            </Button>
          )}
          <div className={classes.actions}>
            {!selection.isAll && <LabelsButton many={resource.many} records={selection.records} />}
            <Actions resource={resource} isBusy={many.progress !== undefined} open={show} />
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
      {dialogs && (
        <>
          {open === 'edit' && <dialogs.EditDialog {...dialog} resource={resource} />}
          {open === 'tag' && <dialogs.TagDialog {...dialog} known={known} />}
          {open === 'delete' && (
            <dialogs.DeleteDialog
              {...dialog}
              resource={resource}
              records={selection.isAll ? rows : selection.records}
            />
          )}
          {many.failure && <dialogs.Failed many={resource.many} outcome={many.failure} close={many.forget} />}
        </>
      )}
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
      {editableMembers(resource).length > 0 && (
        <Button {...shared} leftSection={<IconPencil size={15} />} onClick={() => open('edit')}>
          {text.edit}
        </Button>
      )}
      {hasTags && (
        <Button {...shared} leftSection={<IconTag size={15} />} onClick={() => open('tag')}>
          {text.tag}
        </Button>
      )}
      {isDeletable(resource.many) && (
        <Button {...shared} leftSection={<IconTrash size={15} />} onClick={() => open('delete')}>
          {text.delete}
        </Button>
      )}
    </>
  )
}
