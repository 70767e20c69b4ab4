// One record of any resource: related data, its form, metadata, and its deletion. The id `new` creates one.
import { Alert, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDots, IconRestore, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import { recordQuery, refresh, restoreRecord, type Versioned } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { useFormat } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageTabs, useTab } from '../../parts/PageTabs.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { RecordForm, type RecordNote } from '../../parts/RecordForm.tsx'
import type { Inputs } from '../../parts/RecordSection.tsx'
import { useTitleOf } from '../../parts/record-title.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { canBeDeleted } from '../../parts/settled.ts'
import { useAction } from '../../parts/use-action.ts'
import { text as history } from '../../texts/history.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { text as shell } from '../../texts/shell.ts'
import { History } from './history/History.tsx'
import { Deletion } from './RecordDeletion.tsx'

export function NewRecord({
  resource,
  initial = {},
  inputs,
  Note,
  children,
}: {
  resource: Resource
  initial?: Readonly<Record<string, unknown>>
  inputs?: Inputs | undefined
  Note?: RecordNote | undefined
  /** Shown above the form. */
  children?: ReactNode
}) {
  const { companyId } = useScope()
  const navigate = useNavigate()
  const list = `/c/${companyId}/${resource.many}`
  return (
    <PageBody size="narrow">
      <PageHeader title={text.new(resource.singular)} above={{ label: resource.title, to: list }} />
      <Stack gap="lg">
        {children}
        <RecordForm
          resource={resource}
          initial={initial}
          {...(inputs && { inputs })}
          Note={Note}
          onSaved={({ record }) => void navigate({ to: `${list}/${record.id}`, replace: true })}
        />
      </Stack>
    </PageBody>
  )
}

interface OneRecordProps {
  readonly resource: Resource
  readonly id: string
  /** Shown above the form. */
  readonly children?: ((versioned: Versioned) => ReactNode) | undefined
  /** Inputs of the form that are not generated from the declaration. */
  readonly inputs?: Inputs | undefined
  readonly Note?: RecordNote | undefined
  /** Shown instead of the form. */
  readonly body?: (versioned: Versioned) => ReactNode
  /** Shown in the head, before the menu. */
  readonly actions?: (versioned: Versioned) => ReactNode
  /** Shown in the menu, before the deletion. */
  readonly menu?: (versioned: Versioned) => ReactNode
  readonly size?: 'narrow' | 'middle' | 'wide'
  /** The effect of its deletion on other records. */
  readonly consequence?: ReactNode
  /** Its history, in place of that of the record alone. */
  readonly history?: ((versioned: Versioned) => ReactNode) | undefined
}

export function OneRecord(props: OneRecordProps) {
  const { resource, id, children, body, actions, menu, size = 'narrow', consequence, history: past } = props
  const scope = useScope()
  const canWrite = useCanWrite()
  const titleOf = useTitleOf()
  const { data: versioned, error, refetch } = useQuery(recordQuery(scope, resource.one, resource.many, id))
  const [isAsking, setAsking] = useState(false)
  const tab = useTab(['details', 'history'])
  const list = `/c/${scope.companyId}/${resource.many}`
  if (versioned === undefined) return <PageWaiting error={error} retry={refetch} />
  const { record } = versioned
  const title = titleOf(resource.many, record)
  const isDeleted = record.isDeleted === true
  const canDelete = canWrite && !isDeleted && canBeDeleted(resource.many, record)

  return (
    <PageBody size={size}>
      <PageHeader
        // A number alone does not say what it is.
        title={record.sessionNumber === title ? `${labelOf(resource.singular)} ${title}` : title}
        above={{ label: resource.title, to: list }}
        aside={isDeleted ? <StatusBadge value="deleted" /> : <StatusBadge value={record.status} />}
      >
        {actions?.(versioned)}
        {isDeleted && canWrite && restorable.has(resource.many) && (
          <Restore resource={resource} versioned={versioned} />
        )}
        {(canDelete || menu !== undefined) && (
          <RecordMenu canDelete={canDelete} ask={() => setAsking(true)} items={menu?.(versioned)} />
        )}
      </PageHeader>
      {isDeleted && (
        <Alert color="gray" mb="lg">
          {text.isDeletedHint}
        </Alert>
      )}
      <PageTabs
        open={tab}
        tabs={[
          {
            name: 'details',
            label: history.details,
            isKept: true,
            panel: (
              <Stack gap="lg">
                {children?.(versioned)}
                {body?.(versioned) ?? <Form {...props} versioned={versioned} />}
              </Stack>
            ),
          },
          {
            name: 'history',
            label: history.title,
            panel: past?.(versioned) ?? <History resource={resource} record={record} />,
          },
        ]}
      />
      <Deletion {...{ resource, record, consequence }} opened={isAsking} close={() => setAsking(false)} />
    </PageBody>
  )
}

const Form = ({ resource, versioned, inputs = {}, Note }: OneRecordProps & { readonly versioned: Versioned }) => (
  <RecordForm {...{ resource, versioned, inputs, Note }}>
    <About versioned={versioned} />
  </RecordForm>
)

/** Resources with deleted records that the server can restore. */
const restorable = new Set(['customers'])

function Restore({ resource: { one, many }, versioned }: { resource: Resource; versioned: Versioned }) {
  const scope = useScope()
  const client = useQueryClient()
  const { isBusy, run: act } = useAction()
  const titleOf = useTitleOf()
  const { record } = versioned

  const run = () =>
    act(async () => {
      await restoreRecord(scope, one, record.id)
      await refresh(client, scope.companyId, many)
      notify(text.restored(titleOf(many, record)))
    })

  return (
    <Button leftSection={<IconRestore size={16} />} onClick={() => void run()} loading={isBusy}>
      {text.restore}
    </Button>
  )
}

/** Id and times of a record. */
export function About({ versioned: { record } }: { versioned: Versioned }) {
  const format = useFormat()
  return (
    <Group gap="xl" c="dimmed" fz="sm" style={{ rowGap: 4 }}>
      <CopyValue value={record.id} />
      <Text inherit>{text.createdAt(format.dateTime(record.createdAt))}</Text>
      {record.updatedAt !== undefined && <Text inherit>{text.updatedAt(format.ago(record.updatedAt))}</Text>}
    </Group>
  )
}

interface RecordMenuProps {
  /** Shown before the deletion. */
  readonly items: ReactNode
  readonly canDelete: boolean
  readonly ask: () => void
}

function RecordMenu({ items, canDelete, ask }: RecordMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" px={9} aria-label={shell.more}>
          <IconDots size={17} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {items}
        {items !== undefined && canDelete && <Menu.Divider />}
        {canDelete && (
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={ask}>
            {text.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
