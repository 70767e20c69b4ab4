// The history of one stock level: author, time, change and reason, newest first.
import { Anchor, Badge, Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRole, useScope } from '../../api/company.ts'
import { listQuery } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { InventoryHistory, KeyPage, MemberPage } from '../../api/schemas.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/stock.ts'
import classes from './History.module.css'
import { shownQuantity } from './quantity.ts'

/** A variant at an outlet. */
export interface ShownLevel {
  readonly variantId: string
  readonly outletId: string
  readonly label: string
  readonly isManaged: boolean
}

interface HistoryProps {
  /** Undefined: closed. */
  readonly level: ShownLevel | undefined
  readonly close: () => void
}

export function History({ level, close }: HistoryProps) {
  return (
    <Drawer opened={level !== undefined} onClose={close} title={text.historyTitle} size={420}>
      {level && <Entries level={level} />}
    </Drawer>
  )
}

function Entries({ level }: { level: NonNullable<HistoryProps['level']> }) {
  const scope = useScope()
  const format = useFormat()
  const { variantId, outletId, label, isManaged } = level
  const list = useInfiniteQuery({
    ...listQuery(scope, 'inventory-history', { variantId, outletId, sortOrder: 'desc' }, 50),
    // Data of another cell does not apply to this one.
    placeholderData: undefined,
    staleTime: 0,
  })
  const whoOf = useWho()
  const entries = list.data?.pages.flatMap(({ data }) => data)

  return (
    <Stack gap="md">
      <Text size="sm" fw={600} className="name">
        {label}
      </Text>
      {list.error && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <RowsSkeleton rows={6} />}
      {entries?.length === 0 && (
        <Empty
          icon={IconHistory}
          title={text.historyEmpty}
          hint={isManaged ? text.historyEmptyHint : text.historyUnmanaged}
        />
      )}
      <ol>
        {entries?.map((entry) => (
          <li key={entry.id} className={classes.entry}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={500}>
                {text.kinds[entry.kind] ?? entry.kind}
              </Text>
              <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                <Text span inherit c="dimmed">
                  {shownQuantity(entry.previousStock)} →{' '}
                </Text>
                <b>{shownQuantity(entry.newStock)}</b>
                <Badge color={entry.delta < 0 ? 'red' : 'teal'} ml={8}>
                  {entry.delta > 0 ? '+' : ''}
                  {shownQuantity(entry.delta)}
                </Badge>
              </Text>
            </Group>
            {(entry.orderId ?? entry.reason) && (
              <Text size="sm" className="name">
                <Cause entry={entry} />
              </Text>
            )}
            <Text size="xs" c="dimmed">
              <bdi>{whoOf(entry)}</bdi> · <time dateTime={entry.createdAt}>{format.dateTime(entry.createdAt)}</time>
            </Text>
          </li>
        ))}
      </ol>
      {list.hasNextPage && (
        <Button variant="default" onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
          {text.more}
        </Button>
      )}
    </Stack>
  )
}

/** The order that moved the stock, and the refund that brought it back; or else what was typed. */
function Cause({ entry: { orderId, refundId, reason } }: { readonly entry: InventoryHistory }) {
  const { companyId } = useScope()
  if (orderId === undefined) return reason
  return (
    <>
      <RecordName many="orders" id={orderId} missing={reason} />
      {refundId !== undefined && (
        <>
          {' · '}
          <Anchor component={Link} inherit to={`/c/${companyId}/refunds/${refundId}`}>
            {text.itsRefund}
          </Anchor>
        </>
      )}
    </>
  )
}

/** The author of an entry. Only users who may read keys and members see their names. */
function useWho(): (entry: InventoryHistory) => string {
  const scope = useScope()
  const { user } = useSignIn()
  const isAllowed = useRole() !== 'viewer'
  const asked = { enabled: isAllowed, retry: false, staleTime: 5 * 60_000 }
  const { data: keys } = useQuery({
    ...asked,
    queryKey: [scope.companyId, 'keys', 'names'],
    queryFn: () => get<KeyPage>(scope, '/v1/keys').then(({ data }) => data),
  })
  const { data: members } = useQuery({
    ...asked,
    queryKey: [scope.companyId, 'members', 'names'],
    queryFn: () => get<MemberPage>(scope, '/v1/members').then(({ data }) => data),
  })
  return ({ keyId, userId }) => {
    if (userId !== undefined) {
      if (userId === user.id) return text.byYou
      const member = members?.find((one) => one.userId === userId)
      return member?.name ?? member?.email ?? text.byPerson
    }
    if (keyId === undefined) return text.bySystem
    const key = keys?.find(({ id }) => id === keyId)
    return key?.name === undefined ? text.byUnknownKey : text.byKey(key.name)
  }
}
