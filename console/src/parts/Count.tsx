// A count beside a title, announced to screen readers when it changes; empty while it is unknown.
import { Text } from '@mantine/core'
import { text } from '../texts/shell.ts'
import { number } from './format.ts'
import { useLate } from './use-late.ts'

interface CountProps {
  readonly of: number | undefined
  /** True while a new search runs: the count is that of the previous one. */
  readonly isOutdated?: boolean
}

export function Count({ of, isOutdated = false }: CountProps) {
  const isLate = useLate(isOutdated)
  if (of === undefined) return null
  return (
    <Text c="dimmed" size="sm" role="status">
      {isLate ? text.loading : number(of)}
    </Text>
  )
}
