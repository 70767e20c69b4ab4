// Ends the sign-in, from the user menu and from the search.
import { useQueryClient } from '@tanstack/react-query'
import { asProblem } from '../api/problem.ts'
import { send, setCsrfToken } from '../api/request.ts'
import { noteSignOut } from '../api/sso.ts'
import { complain } from '../parts/notices.ts'
import { text } from '../texts/shell.ts'

/** A function that signs the user out, and says so if it could not. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    try {
      await send('person', '/v1/console/sign-in', { method: 'DELETE' })
    } catch (caught) {
      // The next user of this browser would continue as this one; a sign-in that has already ended is fine.
      if (asProblem(caught).status !== 401) {
        complain(caught, text.notSignedOut)
        return
      }
    }
    noteSignOut()
    setCsrfToken(undefined)
    client.clear()
    // Loads a new page, so that nothing of the old one stays in memory.
    window.location.assign('/console/sign-in')
  }
}
