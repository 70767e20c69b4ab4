// Says that a station has an open session, with the way to close it, in place of the API's message, which names ids and a parameter.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useCompanyId } from '../api/company.ts'
import type { ApiProblem } from '../api/problem.ts'
import { text } from '../texts/sessions.ts'

/** The id of the session that is open at the station, if that is the problem. */
export const openSessionOf = ({ errors }: ApiProblem): string | undefined =>
  errors.find(({ code }) => code === 'open_session')?.id

export function OpenSession({ id }: { readonly id: string }) {
  return (
    <>
      {text.isOpen}{' '}
      <Anchor component={Link} to={`/c/${useCompanyId()}/sessions/${id}/report`}>
        {text.openOne}
      </Anchor>
    </>
  )
}
