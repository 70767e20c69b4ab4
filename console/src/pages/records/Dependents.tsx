// Counts the records that refer to another before its deletion, for each resource whose list has a filter for it.

import { useQueries } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { type Resource, referenceOf, useResources } from '../../api/resources.ts'
import { inSentence } from '../../language.ts'
import { number } from '../../parts/format.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'

interface Found {
  readonly isCounting: boolean
  readonly hasFailed: boolean
  readonly lines: readonly string[]
}

/** Counts on demand only, so that pages cause no unnecessary counts. */
export function useDependents({ many }: Resource, id: string | undefined, isAsked: boolean): Found {
  const scope = useScope()
  const asked = useResources().flatMap((other) =>
    [...other.list.exact, ...other.list.any]
      .filter((member) => referenceOf(member) === many)
      .map((member, n) => ({ other, member, isSecond: n > 0 })),
  )
  const counts = useQueries({
    queries: asked.map(({ other, member }) => ({
      ...someQuery(scope, other.many, { [member]: id, limit: 1 }),
      enabled: isAsked,
      staleTime: 0,
    })),
  })
  const lines = asked.flatMap(({ other, member, isSecond }, n) => {
    const count = counts[n]?.data?.meta.count ?? 0
    if (count === 0) return []
    const [one, several] = text.counted[other.many] ?? [other.singular, inSentence(other.title)]
    // Several members can refer to it: an employee opens a session and closes it.
    const by = isSecond ? ` (${inSentence(labelOf(member))})` : ''
    return [`${number(count)} ${count === 1 ? one : several}${by}`]
  })
  return {
    isCounting: isAsked && counts.some(({ isFetching }) => isFetching),
    hasFailed: counts.some(({ isError }) => isError),
    lines,
  }
}

interface DependentsProps {
  readonly dependents: Found
  readonly refers?: string
}

export function Dependents({ dependents, refers = text.refers }: DependentsProps) {
  const { isCounting, hasFailed, lines } = dependents
  if (isCounting) return <span role="status">{text.counting}</span>
  return (
    <div role="status">
      {lines.length > 0 && (
        <>
          {refers}
          <ul style={{ margin: '4px 0 0', paddingLeft: 20, listStyle: 'revert' }}>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      {lines.length === 0 && !hasFailed && text.refersNone}
      {hasFailed && text.countFailed}
    </div>
  )
}
