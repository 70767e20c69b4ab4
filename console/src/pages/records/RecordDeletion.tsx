// The question before a record is deleted, with what else depends on it.
import { Stack } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../api/company.ts'
import { type RecordData, useSave } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { useTitleOf } from '../../parts/record-title.ts'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/records.ts'
import { text as sessions } from '../../texts/sessions.ts'
import { Dependents, useDependents } from './Dependents.tsx'
import { useRemoval } from './removal.ts'

interface DeletionProps {
  readonly resource: Resource
  /** The effect of the deletion on other records. */
  readonly consequence?: ReactNode
  readonly record: RecordData
  readonly opened: boolean
  readonly close: () => void
}

const archived = 'archived'

/** Whether records of its kind are archived, and this one is not yet. */
const canArchive = ({ members }: Resource, { status }: RecordData): boolean =>
  status !== archived && members.some(({ name, schema }) => name === 'status' && schema.examples?.includes(archived))

export function Deletion({ resource, record, consequence, opened, close }: DeletionProps) {
  const { companyId } = useScope()
  const titleOf = useTitleOf()
  const router = useRouter()
  const remove = useRemoval(resource)
  const dependents = useDependents(resource, record.id, opened)
  const save = useSave(resource)
  const title = titleOf(resource.many, record)
  // What a session has counted belongs in its closing.
  const isCounted = resource.many === 'sessions' && dependents.lines.length > 0

  async function archive() {
    await save.mutateAsync({ id: record.id, body: { status: archived } })
    notify(text.archived(title))
  }

  return (
    <Confirm
      opened={opened}
      close={close}
      title={text.deleteTitle(shortName(title))}
      action={text.delete}
      isWaiting={dependents.isCounting || isCounted}
      alternative={canArchive(resource, record) ? { action: text.archive, run: archive } : undefined}
      run={async () => {
        remove(record.id, title)
        await router.navigate({ to: `/c/${companyId}/${resource.many}`, ignoreBlocker: true })
      }}
    >
      <Stack gap="xs">
        {!isCounted && <span>{resource.remove === 'soft' ? text.deleteSoft : text.deleteHard}</span>}
        <Dependents dependents={dependents} {...(isCounted && { refers: sessions.isCounted })} />
        {canArchive(resource, record) && <span>{text.archiveHint}</span>}
        {consequence}
      </Stack>
    </Confirm>
  )
}
