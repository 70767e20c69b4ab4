// The pages of a company, under a banner while it is suspended: members of its organization may still view them, its own members not.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { companyQuery, useCompanyId } from '../api/company.ts'
import { asProblem, suspensionOf } from '../api/problem.ts'
import { SuspendedAlert } from '../parts/SuspendedAlert.tsx'
import { text } from '../texts/shell.ts'
import classes from './SuspendedBanner.module.css'

/** Milliseconds between two looks whether a suspended company is open again. */
const LOOK_MS = 20_000

const closureOf = (error: unknown): string | undefined =>
  error === null || error === undefined ? undefined : suspensionOf(asProblem(error))

export function SuspendedBanner({ children }: { readonly children: ReactNode }) {
  const companyId = useCompanyId()
  const client = useQueryClient()
  const { data: company, error } = useQuery({
    ...companyQuery(companyId),
    refetchInterval: ({ state }) => closureOf(state.error) !== undefined && LOOK_MS,
  })
  const closure = closureOf(error)
  const isClosed = closure !== undefined
  const isSuspended = isClosed || company?.status === 'suspended'

  // What could not be read meanwhile.
  useEffect(() => {
    if (!isClosed) return
    return () => void client.invalidateQueries({ queryKey: [companyId] })
  }, [isClosed, companyId, client])

  return (
    <>
      {isSuspended && (
        <div className={classes.banner}>
          <SuspendedAlert
            reason={closure ?? company?.suspendedReason ?? ''}
            hint={isClosed ? text.suspendedMembersHint : text.suspendedHint}
          />
        </div>
      )}
      {/* Hidden, not removed: what is typed there is kept. */}
      <div hidden={isClosed}>{children}</div>
    </>
  )
}
