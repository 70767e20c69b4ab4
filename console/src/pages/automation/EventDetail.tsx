// One event: its changes, before and after, and all of its data.
import { ActionIcon, Anchor, Button, CloseButton, Code, Group, Stack, Table, Text, Title, Tooltip } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import { useResources } from '../../api/resources.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/automation.ts'
import { labelOf } from '../../texts/members.ts'
import classes from './EventDetail.module.css'
import { useEventName } from './EventList.tsx'
import { JsonBlock } from './JsonBlock.tsx'
import type { FeedEvent } from './triggers.ts'
import type { EventFilters } from './use-events.ts'

const { events: words } = text

interface EventDetailProps {
  readonly event: FeedEvent
  readonly close: () => void
  readonly filter: (filters: EventFilters) => void
}

export function EventDetail({ event, close, filter }: EventDetailProps) {
  const format = useFormat()
  const to = useRecordAddress(event)
  const { type, recordId, previous, data, sequence, createdAt } = event
  const name = useEventName()(event)
  return (
    <Stack gap="lg" p="lg">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap={6} wrap="nowrap">
            <Title order={2} ff="monospace" className="name">
              {type}
            </Title>
            <Tooltip label={words.onlyType}>
              <ActionIcon size="sm" onClick={() => filter({ type })} aria-label={words.onlyType}>
                <IconFilter size={15} />
              </ActionIcon>
            </Tooltip>
          </Group>
          <Text size="sm" c="dimmed" mt={2}>
            <time dateTime={createdAt}>{format.dateTime(createdAt)}</time> · {words.sequence(sequence)}
          </Text>
        </div>
        <CloseButton onClick={close} aria-label={words.close} />
      </Group>
      {recordId !== undefined && (
        <Stack gap={6}>
          {to !== undefined && event.type.split('.').at(-1) !== 'deleted' ? (
            <Anchor component={Link} to={to} fw={500} className="name" fz="sm">
              <bdi>{name}</bdi>
            </Anchor>
          ) : (
            <Text size="sm" fw={500} className="name">
              <bdi>{name}</bdi>
            </Text>
          )}
          <Group gap="xs">
            <CopyValue value={recordId} label={words.record} />
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => filter({ recordId })}>
              {words.onlyRecord}
            </Button>
          </Group>
        </Stack>
      )}
      {previous && <Changes previous={previous} data={data} />}
      <section>
        <Title order={3} mb={8}>
          {words.data}
        </Title>
        <JsonBlock value={data} label={words.data} />
      </section>
    </Stack>
  )
}

const shown = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? '—'
    : typeof value === 'object'
      ? JSON.stringify(value, null, 1)
      : String(value)

/** The members that changed, without `updatedAt`: the event has its own time. */
function Changes({ previous, data }: Required<Pick<FeedEvent, 'previous' | 'data'>>) {
  const members = Object.keys(previous)
  const informative = members.filter((member) => member !== 'updatedAt')
  return (
    <section>
      <Title order={3} mb={8}>
        {words.changes}
      </Title>
      <div className={classes.changes}>
        <Table fz="sm" layout="fixed" verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="26%">{words.member}</Table.Th>
              <Table.Th>{words.before}</Table.Th>
              <Table.Th>{words.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {(informative.length > 0 ? informative : members).map((member) => (
              <Table.Tr key={member}>
                <Table.Th scope="row" fw={500} className={classes.cell}>
                  {labelOf(member)}
                </Table.Th>
                {[previous[member], data[member]].map((value, n) => (
                  <Table.Td key={n === 0 ? 'before' : 'now'} className={classes.cell}>
                    <Code className={classes.value} data-side={n === 0 ? 'before' : 'now'}>
                      {shown(value)}
                    </Code>
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </section>
  )
}

/** The page of the record, if it has one. */
function useRecordAddress({ resource, recordId, data }: FeedEvent): string | undefined {
  const { companyId } = useScope()
  const resources = useResources()
  const at = (path: string) => `/c/${companyId}/${path}`
  if (resource === 'automation-trigger') return at(`automation/${recordId}`)
  if (resource === 'variant') return at(`products/${data.productId}`)
  if (resource === 'custom-table') return at(`tables/${recordId}`)
  if (resource === 'custom-table-field' || resource === 'custom-table-row') return at(`tables/${data.tableId?.$oid}`)
  if (resource === 'inventory' || resource === 'catalog-visibility') return undefined
  const many = resources.find(({ one }) => one === resource)?.many
  return many && at(`${many}/${recordId}`)
}
