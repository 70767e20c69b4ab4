// Who is signed in: asked once, kept for all pages, and forgotten when the server says so.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { asProblem } from './problem.ts'
import { get, setCsrfToken, tellSignedOut } from './request.ts'

export type CompanyRole = 'owner' | 'admin' | 'viewer'
type OrganizationRole = 'owner' | 'admin'

export interface User {
  readonly id: string
  readonly email: string
  readonly name?: string
}

/** A company that a person may open. */
export interface OpenCompany {
  readonly id: string
  readonly name: string
  readonly role: CompanyRole
  readonly organizationId: string
  readonly organizationName?: string
  readonly currency?: string
  readonly timezone?: string
  readonly country?: string
  readonly status: string
}

export interface SignIn {
  readonly user: User
  readonly csrfToken: string
  readonly signInId: string
  /** Own memberships, at most 100 of each. */
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: OrganizationRole }[]
  readonly companies: readonly OpenCompany[]
}

let isLeft = false

/** Whether the pages begin anew, since somebody else has signed in: nothing that was typed here keeps them any more. */
export const isGivenUp = (): boolean => isLeft

/** The sign-in, or null where there is none. */
export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  staleTime: 5 * 60_000,
  // Whoever comes back to a tab may be another one than who left it.
  refetchOnWindowFocus: 'always',
  queryFn: async ({ client, queryKey }): Promise<SignIn | null> => {
    const known = client.getQueryData<SignIn | null>(queryKey) ?? null
    try {
      const found = await get<SignIn>('person', '/v1/console/sign-in')
      // Somebody else has signed in in another tab. Nothing that was read or typed here is theirs: their pages begin anew.
      if (known !== null && known.user.id !== found.user.id) {
        isLeft = true
        window.location.assign('/console/')
        return known
      }
      setCsrfToken(found.csrfToken, found.user.id)
      return found
    } catch (error) {
      if (asProblem(error).status !== 401) throw error
      // Whoever was signed in stays on the page, with what is typed there, and is asked for the password.
      if (known !== null) tellSignedOut()
      return known
    }
  },
})

/** The sign-in on pages that only somebody who is signed in can see. */
export function useSignIn(): SignIn {
  const { data } = useSuspenseQuery(signInQuery)
  if (data === null) throw new Error('Nobody is signed in.')
  return data
}
