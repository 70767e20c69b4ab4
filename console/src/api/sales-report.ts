// Reads the report of sales by groups. Net sales are shown after refunds, as shops know the term; the API has them before.
import { minus, sumOf } from '../parts/decimal.ts'
import { dateTime } from '../parts/format.ts'
import { get } from './request.ts'
import type { SalesGroup as ApiGroup, SalesGroups as ApiGroups, SalesGroupSums } from './schemas.ts'

interface Net {
  /** `netSales` minus `refundedNet`; missing in groups of payments. */
  readonly netAfterRefunds?: string
}

export type SalesGroup = Omit<ApiGroup, 'previous'> & Net & { readonly previous?: SalesGroupSums & Net }
export type SalesGroups = Omit<ApiGroups, 'groups'> & { readonly groups: readonly SalesGroup[] }

const netOf = ({ netSales, refundedNet }: SalesGroupSums): Net =>
  netSales === undefined ? {} : { netAfterRefunds: sumOf([netSales, minus(refundedNet)]) }

const groupOf = ({ previous, ...group }: ApiGroup, timeZone: string): SalesGroup => ({
  ...group,
  // A session without a number is named by the time at which it was opened.
  ...(group.openTime && { sessionNumber: group.sessionNumber ?? dateTime(group.openTime, timeZone) }),
  ...netOf(group),
  ...(previous && { previous: { ...previous, ...netOf(previous) } }),
})

export async function readSales(
  companyId: string,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<SalesGroups> {
  const report = await get<ApiGroups>({ companyId }, '/v1/reports/sales', { query, signal })
  return { ...report, groups: report.groups.map((group) => groupOf(group, report.timezone)) }
}
