// What happens after signing in: the pages restart for the user, at the requested page.
import { useQueryClient } from '@tanstack/react-query'
import { setCsrfToken } from '../../api/request.ts'
import type { SignedIn } from '../../api/schemas.ts'
import { signInQuery } from '../../api/sign-in.ts'

/** Continues as the user in a response; nothing that another user read before stays in the page. */
export function useBegin(): (signedIn: SignedIn) => Promise<void> {
  const client = useQueryClient()
  return async ({ csrfToken }) => {
    setCsrfToken(csrfToken)
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== signInQuery.queryKey[0] })
    await client.fetchQuery({ ...signInQuery, staleTime: 0 })
  }
}

/** The page in `?to=`, if it is one of the console; else the start, so that a link cannot lead away. */
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
  // The pages before the others are no targets.
  if (path === '' || /^\/(sign-in|link|second-factor|sso)(\/|$)/.test(path)) return start
  return `/console${path}${url.search}${url.hash}`
}
