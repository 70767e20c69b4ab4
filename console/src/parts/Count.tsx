// A count beside a title, announced to screen readers when it changes; empty while it is unknown.
import { Text } from '@mantine/core'
import { number } from './format.ts'

export function Count({ of }: { of: number | undefined }) {
  if (of === undefined) return null
  return (
    <Text c="dimmed" size="sm" role="status">
      {number(of)}
    </Text>
  )
}
