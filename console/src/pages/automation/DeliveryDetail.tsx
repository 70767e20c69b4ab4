// One delivery: its state, each attempt with its response, and the request as far as it is known.
import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCanWrite, useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { recordQuery, refresh } from '../../api/records.ts'
import type { AutomationTrigger, WebhookAttempt, WebhookDelivery } from '../../api/schemas.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/automation.ts'
import { Ago } from './Ago.tsx'
import { DeliveryBadge } from './DeliveryBadge.tsx'
import classes from './DeliveryDetail.module.css'
import { Request } from './DeliveryRequest.tsx'
import { deliveriesOf, redeliver } from './triggers.ts'

const { delivery: words } = text

export function DeliveryDetail({ trigger, id }: { trigger: AutomationTrigger; id: string }) {
  const scope = useScope()
  const many = deliveriesOf(trigger.id)
  const { data, error, refetch } = useQuery({
    ...recordQuery(scope, many, many, id),
    refetchInterval: ({ state }) => (state.data?.record.state === 'pending' ? 1_500 : false),
  })
  if (data === undefined && error)
    return asProblem(error).status === 404 ? (
      <Text c="dimmed">{words.gone}</Text>
    ) : (
      <Failure error={error} retry={() => void refetch()} />
    )
  if (data === undefined) return <RowsSkeleton rows={6} />
  return <Detail trigger={trigger} delivery={data.record} />
}

interface DetailProps {
  readonly trigger: AutomationTrigger
  readonly delivery: WebhookDelivery
}

function Detail({ trigger, delivery }: DetailProps) {
  const canWrite = useCanWrite()
  const format = useFormat()
  const { eventType, state, attempts, nextAttemptAt, sequence, eventId } = delivery

  return (
    <Stack gap="lg">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={6} miw={0}>
          <Group gap="sm">
            <Text ff="monospace" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {eventType}
            </Text>
            <DeliveryBadge state={state} />
          </Group>
          <Text size="sm" c="dimmed" role="status">
            {nextAttemptAt ? (
              <>
                {words.next} <Ago at={nextAttemptAt} title={format.dateTime(nextAttemptAt)} isNext />
              </>
            ) : (
              format.dateTime(delivery.createdAt)
            )}
          </Text>
        </Stack>
        {canWrite && trigger.isActive !== false && <Resend trigger={trigger} delivery={delivery} />}
      </Group>
      <Stack gap={4} fz="sm" c="dimmed">
        <Group gap="xs">
          {words.event} <CopyValue value={eventId} label={words.event} />
        </Group>
        {sequence !== undefined && (
          <span>
            {words.sequence} {sequence}
          </span>
        )}
      </Stack>
      <Attempts attempts={attempts} />
      <Request trigger={trigger} delivery={delivery} />
    </Stack>
  )
}

function Try({
  attempt: { at, status, error, durationMs, answer },
  label,
}: {
  attempt: WebhookAttempt
  label: string
}) {
  const format = useFormat()
  const isGood = status !== undefined && status >= 200 && status < 300
  return (
    <>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Badge color={isGood ? 'teal' : 'red'}>{status ?? words.noAnswer}</Badge>
          <Text size="sm" fw={500}>
            {label}
          </Text>
        </Group>
        <Text size="xs" c="dimmed">
          <time dateTime={at}>{format.dateTime(at)}</time> · {words.took(durationMs)}
        </Text>
      </Group>
      {error && (
        <Text size="sm" mt={6} className="name">
          {text.said(error)}
        </Text>
      )}
      {answer !== undefined ? (
        <Code block mt={8} className={classes.answer} tabIndex={0} aria-label={words.answer} role="region">
          {answer}
        </Code>
      ) : (
        status !== undefined && (
          <Text size="xs" c="dimmed" mt={6}>
            {words.noText}
          </Text>
        )
      )}
    </>
  )
}

function Resend({ trigger, delivery }: DetailProps) {
  const scope = useScope()
  const client = useQueryClient()
  const { isBusy, run } = useAction()

  const again = () =>
    run(async () => {
      await redeliver(scope, trigger.id, delivery.id)
      notify(text.againDone)
      await refresh(client, scope.companyId, deliveriesOf(trigger.id))
    })

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={14} />}
      onClick={again}
      loading={isBusy}
      flex="none"
    >
      {text.again}
    </Button>
  )
}

function Attempts({ attempts }: Pick<WebhookDelivery, 'attempts'>) {
  return (
    <section>
      <Title order={3}>{words.attempts}</Title>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed" mt={6}>
          {words.noAttempt}
        </Text>
      ) : (
        <ol className={classes.attempts}>
          {attempts
            .map((attempt, n) => ({ attempt, n: n + 1 }))
            .reverse()
            .map(({ attempt, n }) => (
              <li key={attempt.at}>
                <Try attempt={attempt} label={words.attempt(n)} />
              </li>
            ))}
        </ol>
      )}
    </section>
  )
}
