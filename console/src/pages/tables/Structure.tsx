// The fields of a table, and the switch that makes it extend customers.
import {
  ActionIcon,
  Badge,
  Button,
  Code,
  Group,
  ScrollArea,
  Stack,
  Table,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { IconColumns3, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import { useResources } from '../../api/resources.ts'
import type { CustomTable, CustomTableField } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { notify } from '../../parts/notices.ts'
import { shortName } from '../../parts/short-name.ts'
import { isFocusFree } from '../../shell/kept-focus.ts'
import { text } from '../../texts/tables.ts'
import { ExtendsCustomers } from './ExtendsCustomers.tsx'
import { FieldForm } from './FieldForm.tsx'
import classes from './TablePage.module.css'
import { countQuery, isLink, removeField, structureChanged } from './tables.ts'

const { fields: words } = text

interface StructureProps {
  readonly table: CustomTable
  readonly fields: readonly CustomTableField[]
}

export function Structure({ table, fields }: StructureProps) {
  const canWrite = useCanWrite()
  const [editing, setEditing] = useState<CustomTableField | 'new'>()
  const [removing, setRemoving] = useState<CustomTableField>()
  const adder = useRef<HTMLButtonElement>(null)
  // With the first field, the button that opened the form is gone from the middle of the card: now it is in its head.
  function close() {
    setEditing(undefined)
    setTimeout(() => isFocusFree() && adder.current?.focus())
  }
  const add = canWrite && (
    <Button ref={adder} size="xs" leftSection={<IconPlus size={15} />} onClick={() => setEditing('new')}>
      {words.add}
    </Button>
  )

  return (
    <Stack gap="lg" maw={1080}>
      <ExtendsCustomers table={table} fields={fields} />
      <Card title={words.list} actions={fields.length > 0 && add}>
        {fields.length === 0 ? (
          <Empty icon={IconColumns3} title={words.empty} hint={words.emptyHint}>
            {add}
          </Empty>
        ) : (
          <ScrollArea viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': table.name }}>
            <Table fz="sm" verticalSpacing="xs" className={classes.fields} miw={640}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{words.name}</Table.Th>
                  <Table.Th>{words.type}</Table.Th>
                  <Table.Th>{words.required}</Table.Th>
                  <Table.Th>{words.default}</Table.Th>
                  <Table.Th>{words.reference}</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>{words.actions}</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {fields.map((field) => (
                  <FieldRow
                    key={field._id.$oid}
                    field={field}
                    edit={() => setEditing(field)}
                    remove={() => setRemoving(field)}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </ScrollArea>
        )}
      </Card>
      {editing !== undefined && (
        <FieldForm table={table} fields={fields} field={editing === 'new' ? undefined : editing} close={close} />
      )}
      <Removal table={table} field={removing} close={() => setRemoving(undefined)} />
    </Stack>
  )
}

function Reference({ field }: { field: CustomTableField }) {
  const resources = useResources()
  const { referenceLinkedCollection: many, referenceLinkedField: member } = field
  if (many === undefined) return null
  const title = resources.find((resource) => resource.many === many)?.title ?? many
  return (
    <Group gap={6} wrap="nowrap">
      <span>{member === undefined || member === 'id' ? title : `${title} · ${member}`}</span>
      {isLink(field) && <Badge>{words.link}</Badge>}
    </Group>
  )
}

interface FieldRowProps {
  readonly field: CustomTableField
  readonly edit: () => void
  readonly remove: () => void
}

function FieldRow({ field, edit, remove }: FieldRowProps) {
  const canWrite = useCanWrite()
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} c="var(--mantine-color-text)" maw={260} className="cut">
        <bdi>{field.name}</bdi>
      </Table.Th>
      <Table.Td>{words.types[field.type] ?? field.type}</Table.Td>
      <Table.Td>{field.required ? words.isRequired : ''}</Table.Td>
      <Table.Td maw={180} className="cut">
        {field.defaultValue !== undefined && <Code>{String(field.defaultValue)}</Code>}
      </Table.Td>
      <Table.Td>
        <Reference field={field} />
      </Table.Td>
      <Table.Td>
        {canWrite && (
          <Group gap={2} wrap="nowrap" justify="flex-end">
            <Tooltip label={words.editOf(field.name)}>
              <ActionIcon aria-label={words.editOf(field.name)} onClick={edit}>
                <IconPencil size={16} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={words.deleteOf(field.name)}>
              <ActionIcon aria-label={words.deleteOf(field.name)} onClick={remove}>
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

interface RemovalProps {
  readonly table: CustomTable
  /** Undefined: the dialog is closed. */
  readonly field: CustomTableField | undefined
  readonly close: () => void
}

function Removal({ table, field: removing, close }: RemovalProps) {
  const scope = useScope()
  const client = useQueryClient()
  const { data: count } = useQuery(countQuery(scope, table._id.$oid, table.name))
  return (
    <Confirm
      opened={removing !== undefined}
      close={close}
      title={words.deleteTitle(shortName(removing?.name ?? ''))}
      action={words.delete}
      run={async () => {
        if (removing === undefined) return
        await removeField(scope, removing._id.$oid)
        await structureChanged(client, scope, table._id.$oid)
        notify(words.deleted(removing.name))
      }}
    >
      {count === undefined ? words.deleteAllHint : words.deleteHint(count)}{' '}
      {removing && isLink(removing) && words.deleteLink}
    </Confirm>
  )
}
