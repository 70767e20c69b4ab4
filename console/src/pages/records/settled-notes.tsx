// What the forms of payments, cash movements and closed sessions say: why so little can be changed there, and how a mistake is corrected.
import { Text } from '@mantine/core'
import type { Values } from '../../parts/draft.ts'
import { text as orders } from '../../texts/orders.ts'
import { text as sessions } from '../../texts/sessions.ts'

const Said = ({ children }: { readonly children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

export const PaymentNote = () => <Said>{orders.isSettled}</Said>

export const StoredMovementNote = () => <Said>{sessions.isSettled}</Said>

export const SessionNote = ({ values: { closeTime } }: { readonly values: Values }) =>
  closeTime === undefined ? null : <Said>{sessions.isClosed}</Said>
