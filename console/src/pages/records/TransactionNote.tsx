// Says in the form of a payment why only its notes can be changed there, and how a wrong one is corrected.
import { Text } from '@mantine/core'
import { text } from '../../texts/orders.ts'

export const TransactionNote = () => (
  <Text size="sm" c="dimmed">
    {text.isSettled}
  </Text>
)
