// The records that a search finds, by the API's search over all resources, and where to see more of them.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { get } from '../api/request.ts'
import { type Resource, resourcesQuery } from '../api/resources.ts'
import type { SearchHit, SearchResults } from '../api/schemas.ts'

/** A found record, and the resource that it is of. */
interface FoundRecord {
  readonly result: SearchHit
  readonly resource: Resource
}

/** A list that has further results, with the member that its search has to look at. */
interface FurtherList {
  readonly resource: Resource
  readonly member: string
}

export interface Results {
  readonly records: readonly FoundRecord[]
  readonly hasMore: boolean
  readonly lists: readonly FurtherList[]
  /** Whether the records are not yet those of what is typed. */
  readonly isWaiting: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Lists that are offered for further results. */
const LISTS = 3

/** The records that fit what is typed, once the user pauses. A request for earlier text is aborted. */
export function useResults(typed: string): Results {
  const { companyId } = useParams({ strict: false })
  const { data: resources = [] } = useQuery({ ...resourcesQuery(companyId ?? ''), enabled: companyId !== undefined })
  const text = typed.trim()
  const [q] = useDebouncedValue(text, 150)
  const isSought = companyId !== undefined && text !== ''
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    queryKey: [companyId, 'search', q],
    enabled: isSought && q !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      get<SearchResults>({ companyId: companyId as string }, '/v1/search', { query: { q }, signal }),
  })
  const records = (isSought ? (data?.data ?? []) : []).flatMap((result) => {
    const resource = resources.find(({ one }) => one === result.resource)
    return resource === undefined ? [] : [{ result, resource }]
  })
  const hasMore = isSought && data?.meta.hasMore === true
  const isWaiting = isSought && (text !== q || isPending || isPlaceholderData)
  return {
    records,
    hasMore,
    isWaiting,
    lists: hasMore && !isWaiting ? listsOf(records, q) : [],
    error: isSought && !isWaiting ? error : null,
    retry: () => void refetch(),
  }
}

/** The lists whose own search finds such records too: it looks for the text as it is, in one member. */
function listsOf(records: readonly FoundRecord[], q: string): readonly FurtherList[] {
  const resources = [...new Set(records.map(({ resource }) => resource))]
  return resources
    .flatMap((resource) => {
      const found = records.filter((record) => record.resource === resource).map(({ result }) => result)
      const matched = found.flatMap((result) => (isLiteral(result, q) ? result.matchedBy : []))
      const timesOf = (member: string) => matched.filter((each) => each === member).length
      const [member] = resource.list.search
        .filter((each) => matched.includes(each))
        .toSorted((one, other) => timesOf(other) - timesOf(one))
      return member === undefined ? [] : [{ resource, member }]
    })
    .slice(0, LISTS)
}

/** Whether a member of the record has the text as it is typed: not its words in several members, nor a number in another spelling. */
const isLiteral = ({ title, subtitle, matchedBy }: SearchHit, q: string): boolean =>
  (!/\s/.test(q) || matchedBy.length === 1) && `${title}\n${subtitle}`.toLowerCase().includes(q.toLowerCase())
