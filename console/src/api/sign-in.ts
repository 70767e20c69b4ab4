// The signed-in user: read once, kept for all pages, and dropped when the sign-in ends.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { asProblem } from './problem.ts'
import { get, setCsrfToken, tellSignedOut } from './request.ts'
import type { Member, SignIn } from './schemas.ts'

export type CompanyRole = Member['role']
export type User = SignIn['user']
/** A company that the user may open. */
export type OpenCompany = SignIn['companies'][number]

let isLeft = false

/** Whether the pages are restarting because another user has signed in; typed text no longer keeps them open. */
export const isGivenUp = (): boolean => isLeft

let wasRemoved = false

/** Whether the sign-in of this browser ended because its user's account was deleted. */
export const isRemoved = (): boolean => wasRemoved

/** Milliseconds between two looks at the roles of a user whose page stays open. */
const LOOK_MS = 60_000

/** The sign-in, or null if there is none. */
export const signInQuery = queryOptions<SignIn | null>({
  queryKey: ['sign-in'],
  staleTime: 5 * 60_000,
  // The user who comes back to a tab may not be the one who left it.
  refetchOnWindowFocus: 'always',
  // The role may be changed meanwhile, and a page that stays open would go on offering what is refused.
  refetchInterval: ({ state: { data } }) => (data ? LOOK_MS : false),
  queryFn: async ({ client, queryKey }): Promise<SignIn | null> => {
    const known = client.getQueryData<SignIn | null>(queryKey) ?? null
    try {
      const found = await get<SignIn>('person', '/v1/console/sign-in')
      // Another user has signed in in another tab. Nothing read or typed here is theirs, so the pages restart.
      if (known !== null && known.user.id !== found.user.id) {
        isLeft = true
        window.location.assign('/console/')
        return known
      }
      setCsrfToken(found.csrfToken, found.user.id)
      return found
    } catch (error) {
      const { status, isRemoved } = asProblem(error)
      if (status !== 401) throw error
      wasRemoved = isRemoved
      // The user stays on the page, with what is typed there, and is asked for the password.
      if (known !== null) tellSignedOut(isRemoved)
      return known
    }
  },
})

/** The sign-in, on pages that only signed-in users can see. */
export function useSignIn(): SignIn {
  const { data } = useSuspenseQuery(signInQuery)
  if (data === null) throw new Error('No user is signed in.')
  return data
}
