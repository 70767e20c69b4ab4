// One record of any resource: what belongs to it, its form, what the service knows of it, and its deletion. With the id `new`, the form of a new one.
import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { recordQuery, type Versioned } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { RecordForm } from '../../parts/RecordForm.tsx'
import { titleOf } from '../../parts/record-title.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { text } from '../../texts/records.ts'
import { text as shell } from '../../texts/shell.ts'
import { useRemoval } from './removal.tsx'

export function NewRecord({
  resource,
  initial = {},
}: {
  resource: Resource
  initial?: Readonly<Record<string, unknown>>
}) {
  const { companyId } = useWhose()
  const navigate = useNavigate()
  const list = `/c/${companyId}/${resource.many}`
  return (
    <PageBody size="narrow">
      <PageHeader title={text.new(resource.singular)} above={{ label: resource.title, to: list }} />
      <RecordForm
        resource={resource}
        initial={initial}
        onSaved={({ record }) => void navigate({ to: `${list}/${record.id}`, replace: true })}
      />
    </PageBody>
  )
}

interface OneRecordProps {
  readonly resource: Resource
  readonly id: string
  /** Stands above the form. */
  readonly children?: ((versioned: Versioned) => ReactNode) | undefined
  /** Stands in the form, after its first section. */
  readonly inserted?: (versioned: Versioned) => ReactNode
  /** In place of the form. */
  readonly body?: (versioned: Versioned) => ReactNode
  /** In the head, before the menu. */
  readonly actions?: (versioned: Versioned) => ReactNode
  /** In the menu, before the deletion. */
  readonly menu?: (versioned: Versioned) => ReactNode
  readonly size?: 'narrow' | 'middle' | 'wide'
  /** What becomes of others when it is deleted. */
  readonly consequence?: ReactNode
}

export function OneRecord(props: OneRecordProps) {
  const { resource, id, children, inserted, body, actions, menu, size = 'narrow', consequence } = props
  const whose = useWhose()
  const canWrite = useCanWrite()
  const router = useRouter()
  const { data: versioned, error, refetch } = useQuery(recordQuery(whose, resource.one, resource.many, id))
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoval(resource)
  const list = `/c/${whose.companyId}/${resource.many}`
  if (versioned === undefined) return <PageWaiting error={error} retry={refetch} />
  const { record } = versioned
  const title = titleOf(resource.many, record)
  const isDeleted = record.isDeleted === true
  const canDelete = canWrite && !isDeleted

  return (
    <PageBody size={size}>
      <PageHeader
        title={title}
        above={{ label: resource.title, to: list }}
        aside={isDeleted ? <StatusBadge value="deleted" /> : <StatusBadge value={record.status} />}
      >
        {actions?.(versioned)}
        {(canDelete || menu !== undefined) && (
          <Menu>
            <Menu.Target>
              <Button variant="default" px={9} aria-label={shell.more}>
                <IconDots size={17} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {menu?.(versioned)}
              {menu !== undefined && canDelete && <Menu.Divider />}
              {canDelete && (
                <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setAsking(true)}>
                  {text.delete}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </PageHeader>
      <Stack gap="lg">
        {children?.(versioned)}
        {body?.(versioned) ?? (
          <RecordForm resource={resource} versioned={versioned} inserted={inserted?.(versioned)}>
            <About versioned={versioned} />
          </RecordForm>
        )}
      </Stack>
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={text.deleteTitle(title)}
        action={text.delete}
        run={async () => {
          remove(record.id, title)
          await router.navigate({ to: list, ignoreBlocker: true })
        }}
      >
        <Stack gap="xs">
          <span>{resource.remove === 'soft' ? text.deleteSoft : text.deleteHard}</span>
          {consequence && <span>{consequence}</span>}
        </Stack>
      </Confirm>
    </PageBody>
  )
}

/** Id and times of a record. */
function About({ versioned: { record } }: { versioned: Versioned }) {
  const format = useFormat()
  return (
    <Group gap="xl" c="dimmed" fz="sm" style={{ rowGap: 4 }}>
      <CopyValue value={record.id} />
      <Text inherit>{text.createdAt(format.dateTime(record.createdAt))}</Text>
      {record.updatedAt !== undefined && <Text inherit>{text.updatedAt(format.ago(record.updatedAt))}</Text>}
    </Group>
  )
}
