// A value of an open vocabulary as a coloured badge: known values by their meaning, others in grey.
import { Badge } from '@mantine/core'
import { labelOf } from '../texts/members.ts'

const colors = new Map(
  Object.entries({
    active: 'teal',
    completed: 'teal',
    succeeded: 'teal',
    done: 'teal',
    AVAILABLE: 'teal',
    public: 'teal',
    sale: 'teal',
    paid: 'teal',
    fulfilled: 'teal',
    pending: 'yellow',
    unpaid: 'yellow',
    'partially-paid': 'yellow',
    unfulfilled: 'yellow',
    parked: 'yellow',
    IN_USE: 'yellow',
    checking: 'blue',
    running: 'blue',
    ready: 'blue',
    refunded: 'orange',
    'partial-refund': 'orange',
    'partially-refunded': 'orange',
    'partially-returned': 'orange',
    returned: 'orange',
    refund: 'orange',
    suspended: 'red',
    failed: 'red',
    void: 'gray',
    voided: 'gray',
    cancelled: 'gray',
    draft: 'gray',
    archived: 'gray',
  }),
)

export function StatusBadge({ value }: { value: string | undefined }) {
  if (value === undefined || value === '') return null
  return <Badge color={colors.get(value) ?? 'gray'}>{labelOf(value)}</Badge>
}
