// What an order comes to while its items are edited: the service computes it, a moment after the last change.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useWhose } from '../../../api/company.ts'
import { asProblem } from '../../../api/problem.ts'
import { get } from '../../../api/request.ts'
import type { SaleQuote } from '../../../api/schemas.ts'

/** `body` is undefined while something typed is no number. */
export function useQuote(body: Readonly<Record<string, unknown>> | undefined) {
  const whose = useWhose()
  const wanted = JSON.stringify(body)
  const [asked] = useDebouncedValue(wanted, 250)
  const { data, error, isPlaceholderData, isFetching } = useQuery({
    queryKey: [whose.companyId, 'quote', asked],
    queryFn: ({ signal }) =>
      get<SaleQuote>(whose, '/v1/sale/quote', { method: 'POST', body: JSON.parse(asked as string), signal }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  const isCurrent = wanted !== undefined && asked === wanted && !isPlaceholderData && !isFetching
  return {
    /** The last quote, which may be that of earlier input. */
    quote: data,
    isCurrent: isCurrent && error === null,
    problem: asked === wanted && error ? asProblem(error) : undefined,
  }
}
