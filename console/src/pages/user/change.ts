// Changes of the signed-in user: sent, and shown at once wherever the name appears.
import { useQueryClient } from '@tanstack/react-query'
import { get } from '../../api/request.ts'
import type { UserChange } from '../../api/schemas.ts'
import { signInQuery, type User } from '../../api/sign-in.ts'

export function useChangeUser(): (change: UserChange) => Promise<void> {
  const client = useQueryClient()
  return async (change) => {
    const user = await get<User>('person', '/v1/console/user', { method: 'PATCH', body: change })
    client.setQueryData(signInQuery.queryKey, (signIn) => signIn && { ...signIn, user })
  }
}
