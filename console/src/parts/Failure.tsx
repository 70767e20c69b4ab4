// Shown in place of what failed to load: the server's message, and a way to retry.
import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { asProblem, suspensionOf } from '../api/problem.ts'
import { isReachable } from '../api/request.ts'
import { focusWholePage, useLateHeading } from '../shell/kept-focus.ts'
import { NotFound } from '../shell/NotFound.tsx'
import { usePageTitle } from '../shell/page-title.ts'
import { text } from '../texts/shell.ts'
import { SuspendedAlert } from './SuspendedAlert.tsx'

interface FailureProps {
  readonly error: unknown
  /** Tries again. */
  readonly retry?: () => void
  /** It is all that the page shows, so its title is the page's. */
  readonly isPage?: boolean
  /** It was read without a query, so only the user tries again. */
  readonly isManual?: boolean
}

/** A failure in place of the content; one that `Unreachable` tries again has no button. */
export function Failure({ error, retry, isPage = false, isManual = false }: FailureProps) {
  const problem = asProblem(error)
  const suspension = suspensionOf(problem)
  if (suspension !== undefined) return <SuspendedAlert reason={suspension} hint={text.suspendedMembersHint} />
  const isWaiting = problem.isUnreachable && retry !== undefined && !isManual
  const said = isWaiting ? text.unreachable : text.failed
  const title = isPage ? <PageTitle title={said} /> : said
  if (isWaiting) return <Waiting title={title}>{isPage ? text.unreachablePage : text.unreachablePart}</Waiting>
  const again = () => {
    if (isPage) focusWholePage()
    retry?.()
  }
  return (
    <Alert icon={<IconAlertTriangle size={18} />} color="red" title={title} role="alert">
      <Text size="sm">{problem.message}</Text>
      <Group mt="sm" gap="md">
        {retry && (
          <Button size="xs" variant="default" onClick={again}>
            {text.tryAgain}
          </Button>
        )}
        {problem.requestId && (
          <Text size="xs" ff="monospace">
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
  const problem = asProblem(error)
  const retry = () => {
    reset()
    void router.invalidate()
  }
  if (problem.status === 404) return <NotFound />
  return (
    <div style={{ maxWidth: 560, margin: '12vh auto', padding: 16 }}>
      {problem.isUnreachable ? <Away retry={retry} /> : <Failure isPage error={error} retry={retry} />}
    </div>
  )
}

/** The heading of a page that shows only an alert, in the alert's own size, and the title of its tab. */
function PageTitle({ title }: { readonly title: string }) {
  usePageTitle(title)
  useLateHeading()
  return (
    <Title order={1} fz="inherit" lh="inherit">
      {title}
    </Title>
  )
}

/** In place of a page while the server cannot be reached. */
function Away({ retry }: { readonly retry: () => void }) {
  const again = useEffectEvent(retry)
  useEffect(() => {
    const asking = setInterval(async () => (await isReachable()) && again(), 2_000)
    return () => clearInterval(asking)
  }, [])
  return <Waiting title={<PageTitle title={text.unreachable} />}>{text.unreachablePage}</Waiting>
}

/** Something that is read by itself as soon as the server can be reached again. */
const Waiting = ({ title, children }: { readonly title: ReactNode; readonly children: string }) => (
  <Alert icon={<IconPlugConnectedX size={18} />} color="orange" title={title} role="alert">
    {children}
  </Alert>
)
