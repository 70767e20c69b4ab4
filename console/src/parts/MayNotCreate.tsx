// In place of a form that creates a record, for users who may not: a typed address leads there too.
import { Text } from '@mantine/core'
import { useRole } from '../api/company.ts'
import { text } from '../texts/records.ts'

/** Says so to a viewer; what keeps a suspended company from it is said above the page. */
export const MayNotCreate = () => useRole() === 'viewer' && <Text c="dimmed">{text.mayNotCreate}</Text>
