// The state of a delivery as a coloured badge.
import { Badge } from '@mantine/core'
import { text } from '../../texts/automation.ts'
import type { DeliveryState } from './triggers.ts'

const colors = { succeeded: 'teal', pending: 'yellow', failed: 'red' } as const

export function DeliveryBadge({ state }: { state: DeliveryState }) {
  return (
    <Badge color={colors[state]} style={{ flex: 'none' }}>
      {text.states[state]}
    </Badge>
  )
}
