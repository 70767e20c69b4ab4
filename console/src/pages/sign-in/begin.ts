// What happens once somebody is signed in: the pages begin anew as theirs, at the place that was asked for.
import { useQueryClient } from '@tanstack/react-query'
import { setCsrfToken } from '../../api/request.ts'
import { type SignIn, signInQuery } from '../../api/sign-in.ts'

/** What signing in answers, and using a link. */
export type SignedIn = Pick<SignIn, 'user' | 'csrfToken' | 'signInId'>

/** Goes on as whom an answer names; nothing that somebody else read before stays in the page. */
export function useBegin(): (signedIn: SignedIn) => Promise<void> {
  const client = useQueryClient()
  return async ({ csrfToken }) => {
    setCsrfToken(csrfToken)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== signInQuery.queryKey[0] })
    await client.fetchQuery({ ...signInQuery, staleTime: 0 })
  }
}

/** The address that `?to=` names, if it is a page of the console itself; else the start. Anything else would let a link lead away. */
export function destinationOf(to: string | undefined): string {
  const start = '/console/'
  if (to === undefined || !to.startsWith('/')) return start
  let url: URL
  try {
    url = new URL(to, window.location.origin)
  } catch {
    return start
  }
  if (url.origin !== window.location.origin) return start
  const path = url.pathname.replace(/^\/console(?=\/|$)/, '')
  // Of the pages that nobody signed in sees, none is a place to be led back to.
  if (path === '' || /^\/(sign-in|link)(\/|$)/.test(path)) return start
  return `/console${path}${url.search}${url.hash}`
}
