// Changes of the signed-in user: sent, and shown at once wherever the name appears.
import { useQueryClient } from '@tanstack/react-query'
import { get } from '../../api/request.ts'
import { signInQuery, type User } from '../../api/sign-in.ts'

interface UserChange {
  /** Null removes the name. */
  readonly name?: string | null
  readonly email?: string
  readonly password?: string
  readonly currentPassword?: string
}

export function useChangeUser(): (change: UserChange) => Promise<void> {
  const client = useQueryClient()
  return async (change) => {
    const user = await get<User>('person', '/v1/console/user', { method: 'PATCH', body: change })
    client.setQueryData(signInQuery.queryKey, (signIn) => signIn && { ...signIn, user })
  }
}
