// One record of any resource: its form, what the service knows of it, and its deletion. With the id `new`, the form of a new one.
import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { recordQuery, type Versioned } from '../../api/records.ts'
import { type Resource, useResources } from '../../api/resources.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RecordForm } from '../../parts/RecordForm.tsx'
import { titleOf } from '../../parts/record-title.ts'
import { PageSkeleton } from '../../parts/Skeletons.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/records.ts'
import { text as shell } from '../../texts/shell.ts'
import { useRemoval } from './removal.tsx'

export function RecordPage() {
  const many = useParam('many')
  const id = useParam('id')
  const resource = useResources().find((one) => one.many === many)
  if (resource === undefined) return <NotFound />
  return id === 'new' ? <NewRecord resource={resource} /> : <OneRecord key={id} resource={resource} id={id} />
}

const spoken = ({ one }: Resource): string => one.replaceAll('-', ' ')

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
      <PageHeader title={text.new(spoken(resource))} above={{ label: resource.title, to: list }} />
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
  readonly children?: (versioned: Versioned) => ReactNode
}

export function OneRecord({ resource, id, children }: OneRecordProps) {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const format = useFormat()
  const router = useRouter()
  const { data: versioned, error, refetch } = useQuery(recordQuery(whose, resource.one, resource.many, id))
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoval(resource)
  const list = `/c/${whose.companyId}/${resource.many}`
  if (versioned === undefined && error) {
    if (asProblem(error).status === 404) return <NotFound />
    return (
      <PageBody size="narrow">
        <Failure error={error} retry={() => void refetch()} />
      </PageBody>
    )
  }
  if (versioned === undefined) return <PageSkeleton />
  const { record } = versioned
  const title = titleOf(resource.many, record)
  const isDeleted = record.isDeleted === true

  return (
    <PageBody size="narrow">
      <PageHeader
        title={title}
        above={{ label: resource.title, to: list }}
        aside={isDeleted ? <StatusBadge value="deleted" /> : <StatusBadge value={record.status} />}
      >
        {canWrite && !isDeleted && (
          <Menu>
            <Menu.Target>
              <Button variant="default" px={9} aria-label={shell.more}>
                <IconDots size={17} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setAsking(true)}>
                {text.delete}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </PageHeader>
      <Stack gap="lg">
        {children?.(versioned)}
        <RecordForm resource={resource} versioned={versioned} onSaved={() => {}}>
          <Group gap="xl" c="dimmed" fz="sm">
            <CopyValue value={record.id} />
            <Text inherit>{text.createdAt(format.dateTime(record.createdAt))}</Text>
            {record.updatedAt !== undefined && <Text inherit>{text.updatedAt(format.ago(record.updatedAt))}</Text>}
          </Group>
        </RecordForm>
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
        {resource.remove === 'soft' ? text.deleteSoft : text.deleteHard}
      </Confirm>
    </PageBody>
  )
}
