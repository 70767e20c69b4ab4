// How many there are: beside a title, told to who cannot see it whenever it changes; nothing while that is not known.
import { Text } from '@mantine/core'
import { number } from './format.ts'

export function Count({ of }: { of: number | undefined }) {
  if (of === undefined) return null
  return (
    <Text c="dimmed" size="sm" className="numbers" role="status">
      {number(of)}
    </Text>
  )
}
