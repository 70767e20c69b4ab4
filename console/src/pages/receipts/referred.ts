// The records that a receipt names, read with its page: a paper that is being printed cannot wait for them.
import { useQueries } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { type RecordData, recordQuery } from '../../api/records.ts'
import { titleOf } from '../../parts/record-title.ts'

export interface Referred {
  readonly outlet: RecordData | undefined
  readonly station: string | undefined
  readonly employee: string | undefined
  readonly customer: string | undefined
}

/** Ids of other systems have no record here, and are named as they are. */
export function useReferred(record: RecordData, order: RecordData | undefined): Referred {
  const scope = useScope()
  const ids = [
    ['outlet', 'outlets', record.outletId ?? order?.outletId],
    ['station', 'stations', record.stationId ?? order?.stationId],
    ['account', 'accounts', record.refundedBy ?? record.employee],
    ['customer', 'customers', record.customerId ?? order?.customerId],
  ] as const
  const found = useQueries({
    queries: ids.map(([one, many, id]) => ({
      ...recordQuery(scope, one, many, String(id)),
      enabled: /^[0-9a-f]{24}$/.test(String(id)),
      staleTime: 60_000,
      retry: false,
    })),
  })
  const [outlet, ...others] = found.map(({ data }) => data?.record as RecordData | undefined)
  const [station, employee, customer] = others.map((one, n) => {
    const [, many, id] = ids[n + 1] as (typeof ids)[number]
    if (one !== undefined) return titleOf(many, one)
    return typeof id === 'string' && !/^[0-9a-f]{24}$/.test(id) ? id : undefined
  })
  return { outlet, station, employee, customer }
}
