// The request of a delivery, as far as it is known.
import { Skeleton, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import type { AutomationTrigger, WebhookDelivery } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { text } from '../../texts/automation.ts'
import classes from './DeliveryDetail.module.css'
import { JsonBlock } from './JsonBlock.tsx'
import { bodyOf, headersOf } from './request.ts'
import { eventAt } from './triggers.ts'

const { delivery: words } = text

/** The request: the service stores only the event, and builds the rest again for each attempt. */
export function Request({ trigger, delivery }: { trigger: AutomationTrigger; delivery: WebhookDelivery }) {
  const scope = useScope()
  const { sequence } = delivery
  const { data: event, error } = useQuery({
    queryKey: [scope.companyId, 'events', 'at', sequence],
    queryFn: ({ signal }) => eventAt(scope, sequence as number, signal),
    enabled: sequence !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isGone = sequence !== undefined && event === null
  const body = bodyOf(trigger, delivery, event)
  return (
    <section>
      <Title order={3}>{words.request}</Title>
      <Text size="sm" ff="monospace" mt={6} style={{ overflowWrap: 'anywhere' }}>
        POST {trigger.triggerUrl}
      </Text>
      <Table mt="sm" fz="xs" withRowBorders verticalSpacing={6} aria-label={words.headers} className={classes.headers}>
        <Table.Tbody>
          {headersOf(trigger, delivery).map(({ name, value, isWords }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" ff="monospace" fw={500}>
                {name}
              </Table.Th>
              <Table.Td ff={isWords ? undefined : 'monospace'} c={isWords ? 'dimmed' : undefined}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="md" mb={6}>
        {isGone ? words.eventGone : sequence === undefined ? words.testBody : words.bodyHint}
      </Text>
      {error ? (
        <Failure error={error} />
      ) : body === undefined ? (
        !isGone && <Skeleton h={160} />
      ) : (
        <JsonBlock value={body} label={words.body} />
      )}
    </section>
  )
}
