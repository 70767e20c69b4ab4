// One import: the preview, the result, and the rejected lines.
import { ActionIcon, Alert, Button, Group, Menu, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconDots, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useCanWrite, useParam, useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { refresh } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { Import } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { bytes, useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { useFocusOfState } from '../../shell/kept-focus.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/imports.ts'
import { text as shell } from '../../texts/shell.ts'
import { importQuery, isRunnable, isUnderWay, overwrites, useImportAction } from './import-job.ts'
import { Preview } from './Preview.tsx'
import { Refused } from './Refused.tsx'
import { RunButton } from './RunImport.tsx'
import { State } from './State.tsx'
import { Summary } from './Summary.tsx'
import { UndoButton, Undone } from './UndoImport.tsx'

export function ImportPage() {
  const scope = useScope()
  const id = useParam('importId')
  const { data: job, error, refetch } = useQuery(importQuery(scope, id))
  useNewsAfter(job)
  if (error && job === undefined)
    return asProblem(error).status === 404 ? (
      <NotFound />
    ) : (
      <PageBody size="narrow">
        <Failure isPage error={error} retry={() => void refetch()} />
      </PageBody>
    )
  if (job === undefined)
    return (
      <PageBody size="narrow">
        <Skeleton h={28} w={260} mb="xl" />
        <RowsSkeleton rows={8} />
      </PageBody>
    )
  return <Shown job={job} />
}

const isWriting = (state: Import['state'] | undefined) => state === 'running' || state === 'undoing'

/** After a run or an undo, all cached records of the company are read again. */
function useNewsAfter(job: Import | undefined) {
  const scope = useScope()
  const client = useQueryClient()
  const before = useRef(job?.state)
  useEffect(() => {
    if (isWriting(before.current) && !isWriting(job?.state))
      void client.invalidateQueries({
        queryKey: [scope.companyId],
        predicate: ({ queryKey }) => queryKey[1] !== 'imports' || queryKey[2] === 'list',
      })
    before.current = job?.state
  }, [job?.state, client, scope.companyId])
}

function Shown({ job }: { job: Import }) {
  const scope = useScope()
  const client = useQueryClient()
  const canWrite = useCanWrite()
  const format = useFormat()
  const [isDeleting, deleting] = useDisclosure(false)
  const { state, problem, rowsRefused = 0 } = job
  const [failure, setFailure] = useFailureIn(state)
  useFocusOfState(state)
  const isBusy = isUnderWay(job)
  const wasChecked = state !== 'checking' && job.summary !== undefined

  const act = useImportAction(job)
  const cancel = useMutation({
    mutationFn: () => act('cancel'),
    onError: (error) => {
      setFailure(error)
      void refresh(client, scope.companyId, 'imports')
    },
  })

  return (
    <PageBody size="narrow">
      <PageHeader
        title={job.fileName}
        above={{ label: text.title, to: `/c/${scope.companyId}/imports` }}
        aside={<State job={job} />}
        description={[
          text.files[job.kind] ?? job.kind,
          text.shops[job.shop] ?? job.shop,
          bytes(job.bytes),
          format.dateTime(job.createdAt),
        ].join(' · ')}
      >
        {canWrite && isBusy && state !== 'undoing' && (
          <Button variant="default" onClick={() => cancel.mutate()} loading={cancel.isPending}>
            {text.cancel}
          </Button>
        )}
        {canWrite && job.undoUntil !== undefined && <UndoButton job={job} />}
        {canWrite && isRunnable(job) && <RunButton job={job} failed={setFailure} />}
        {canWrite && !isBusy && <ImportMenu job={job} remove={deleting.open} />}
      </PageHeader>
      <Stack gap="xl">
        {failure && <Failure error={failure} />}
        {state === 'ready' && job.kind !== 'stock' && overwrites(job) && <Alert color="blue">{text.overwrites}</Alert>}
        {job.stock === false && state !== 'ready' && <Alert color="gray">{text.withoutStock}</Alert>}
        {isBusy && <Working job={job} doing={text.doing[state]} />}
        {state === 'failed' && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title={text.failed}>
            <Text size="sm" className="name">
              {problem !== undefined && text.failedWhy(problem)}
            </Text>
          </Alert>
        )}
        {state === 'cancelled' && <Alert color="gray">{text.cancelled}</Alert>}
        {job.undo && <Undone job={job} undo={job.undo} />}
        {job.summary && <Summary job={job} summary={job.summary} />}
        {state !== 'checking' && rowsRefused > 0 && <Refused job={job} count={rowsRefused} />}
        {wasChecked && <Preview job={job} />}
      </Stack>
      <Deletion job={job} opened={isDeleting} close={deleting.close} />
    </PageBody>
  )
}

/** What an action on an import failed with, until its state changes: two clicks, or two people, may have run it, and it runs. */
function useFailureIn(state: Import['state']) {
  const [failure, setFailure] = useState<{ readonly error: Error | null; readonly state: Import['state'] }>()
  const shown = failure?.state === state ? failure.error : null
  return [shown, (error: Error | null) => setFailure({ error, state })] as const
}

/** The progress of what is under way. */
function Working({ job, doing }: { job: Import; doing: string | undefined }) {
  return (
    <Paper p="md" aria-live="polite">
      <Group justify="space-between" mb={8}>
        <Text size="sm">{doing}</Text>
        <Text size="sm" c="dimmed">
          {Math.floor(job.progress * 100)} %
        </Text>
      </Group>
      <Progress value={job.progress * 100} aria-label={text.progress} />
    </Paper>
  )
}

function Deletion({ job, opened, close }: { job: Import; opened: boolean; close: () => void }) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Confirm
      opened={opened}
      close={close}
      title={text.deleteTitle}
      action={text.delete}
      run={async () => {
        await get(scope, `/v1/imports/${job.id}`, { method: 'DELETE' })
        client.removeQueries({ queryKey: importQuery(scope, job.id).queryKey })
        await navigate({ to: `/c/${scope.companyId}/imports` })
        void refresh(client, scope.companyId, 'imports')
      }}
    >
      {text.deleteHint}
    </Confirm>
  )
}

function ImportMenu({ job, remove }: { job: Import; remove: () => void }) {
  const format = useFormat()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={36} variant="default" aria-label={shell.more}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {job.keptUntil && <Menu.Label>{text.keptUntil(format.date(job.keptUntil))}</Menu.Label>}
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
          {text.delete}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
