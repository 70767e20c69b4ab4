// Shown in place of what failed to load: the server's message, and a way to retry.
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asProblem, suspensionOf } from '../api/problem.ts'
import { NotFound } from '../shell/NotFound.tsx'
import { text } from '../texts/shell.ts'
import { SuspendedAlert } from './SuspendedAlert.tsx'

/** A failure in place of the content; `retry` tries again. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = asProblem(error)
  const suspension = suspensionOf(problem)
  if (suspension !== undefined) return <SuspendedAlert reason={suspension} hint={text.suspendedMembersHint} />
  return (
    <Alert icon={<IconAlertTriangle size={18} />} color="red" title={text.failed} role="alert">
      <Text size="sm">{problem.message}</Text>
      <Group mt="sm" gap="md">
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {text.tryAgain}
          </Button>
        )}
        {problem.requestId && (
          <Text size="xs" c="dimmed" ff="monospace">
            {text.requestId(problem.requestId)}
          </Text>
        )}
      </Group>
    </Alert>
  )
}

/** A page that could not be loaded. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  useEffect(() => boundary.reset(), [boundary])
  if (asProblem(error).status === 404) return <NotFound />
  return (
    <div style={{ maxWidth: 560, margin: '12vh auto', padding: 16 }}>
      <Failure
        error={error}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </div>
  )
}
