// What the service computes from a form that is being filled in, asked a moment after the last change. Nothing is stored.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'

/** The response to a body, which is undefined while something typed is no number. Nothing is asked while the form itself is sent. */
export function useComputed<Computed>(path: string, body: object | undefined, isSending = false) {
  const scope = useScope()
  const wanted = JSON.stringify(body)
  const [asked] = useDebouncedValue(wanted, 250)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    // Read again after a change of any order, such as an earlier refund.
    queryKey: [scope.companyId, 'orders', 'computed', path, asked],
    queryFn: ({ signal }) => get<Computed>(scope, path, { method: 'POST', body: JSON.parse(asked as string), signal }),
    enabled: asked !== undefined && !isSending,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isCurrent = wanted !== undefined && asked === wanted && !isPlaceholderData && !isFetching
  return {
    /** The last response, which may be that to earlier input. */
    computed: data,
    isCurrent: isCurrent && error === null,
    problem: asked === wanted && error ? asProblem(error) : undefined,
  }
}
