// The names of the records that a report groups by, read in few requests for any number of groups.
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { useResources } from '../../api/resources.ts'
import type { SalesGroups } from '../../api/schemas.ts'
import { type ReferenceNames, referenceNames } from '../records/reference-names.ts'
import { keyOf, resourceOf } from './groups.ts'

export type RecordName = (many: string, id: string) => string | undefined

/** Until they are read there are none. */
export function useReportNames(report: SalesGroups | undefined): RecordName {
  const scope = useScope()
  const resources = useResources()
  const wanted = (report?.groupBy ?? []).flatMap((dimension) => {
    const many = resourceOf(dimension)
    const ids = new Set(report?.groups.map((group) => keyOf(group, dimension)))
    return many === undefined ? [] : [{ many, ids: [...ids].filter((id) => typeof id === 'string').toSorted() }]
  })
  const { data } = useQuery<ReferenceNames>({
    queryKey: [scope.companyId, 'reports', 'names', wanted],
    enabled: wanted.length > 0,
    staleTime: 60_000,
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }) => {
      const names = referenceNames(scope, resources, signal)
      for (const { many, ids } of wanted) await names.learn(many, ids)
      return names
    },
  })
  return (many, id) => data?.nameOf(many, id)
}
