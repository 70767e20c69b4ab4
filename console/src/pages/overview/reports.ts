// The reports that the overview shows, refetched each minute: a till may be selling.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { get } from '../../api/request.ts'
import { readSales } from '../../api/sales-report.ts'
import type { LowStockReport, ProductsReport } from '../../api/schemas.ts'

/** Fewer than this count as low stock. */
export const fewBelow = 5

/** Of a company without a time zone. */
type Zone = { readonly timezone?: string }

const minute = 60_000
const soon = 2_000

const common = { staleTime: minute / 2, placeholderData: keepPreviousData }
const again = ({ state }: { state: { data: { isComplete: boolean } | undefined } }) =>
  state.data?.isComplete === false ? soon : minute

/** The sales of a period by one dimension, optionally beside the period before. */
export const groupsQuery = (
  companyId: string,
  from: string,
  groupBy: 'day' | 'paymentMethod',
  zone: Zone,
  compare?: 'previous',
) =>
  queryOptions({
    ...common,
    queryKey: [companyId, 'reports', 'sales', from, groupBy, compare, zone],
    queryFn: ({ signal }) => readSales(companyId, { from, groupBy, compare, ...zone }, signal),
    refetchInterval: again,
  })

export const productsQuery = (companyId: string, from: string, sortBy: 'total' | 'quantity', zone: Zone) =>
  queryOptions({
    ...common,
    queryKey: [companyId, 'reports', 'products', from, sortBy, zone],
    queryFn: ({ signal }) =>
      get<ProductsReport>({ companyId }, '/v1/reports/products', {
        query: { from, sortBy, limit: 8, ...zone },
        signal,
      }),
    refetchInterval: again,
  })

export const lowStockQuery = (companyId: string) =>
  queryOptions({
    ...common,
    queryKey: [companyId, 'reports', 'low-stock'],
    queryFn: ({ signal }) =>
      get<LowStockReport>({ companyId }, '/v1/reports/low-stock', { query: { below: fewBelow, limit: 8 }, signal }),
    refetchInterval: minute,
  })
