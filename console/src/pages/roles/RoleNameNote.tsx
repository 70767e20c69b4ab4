// Says in the form of a role that another one has its name: the API takes both, and people cannot tell them apart.
import { Alert } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import type { Values } from '../../parts/draft.ts'
import { text } from '../../texts/roles.ts'

const wordOf = (name: unknown): string =>
  String(name ?? '')
    .trim()
    .toLocaleLowerCase()

export function RoleNameNote({ values: { id, name } }: { readonly values: Values }) {
  const [searchByName] = useDebouncedValue(String(name ?? '').trim(), 250)
  const roles = useQuery({
    ...someQuery(useScope(), 'roles', { limit: 100, searchByName }),
    enabled: searchByName !== '',
  })
  const isTaken = roles.data?.data.some((role) => role.id !== id && wordOf(role.name) === wordOf(name))
  return isTaken ? (
    <Alert color="yellow" role="status">
      {text.nameTaken}
    </Alert>
  ) : null
}
