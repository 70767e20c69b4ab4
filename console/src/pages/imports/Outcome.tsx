// What a run does with a record, as a badge.
import { Badge } from '@mantine/core'
import { text } from '../../texts/imports.ts'

const colors: Readonly<Record<string, string>> = { created: 'teal', updated: 'blue', unchanged: 'gray' }

export const Outcome = ({ outcome }: { outcome: string }) => (
  <Badge color={colors[outcome] ?? 'gray'}>{text.outcomes[outcome] ?? outcome}</Badge>
)
