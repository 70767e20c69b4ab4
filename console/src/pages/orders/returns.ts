// Completions and payments of an order, refunds and voids of a sale; afterwards all pages that show what they changed read it again.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type {
  Sale,
  SaleCompletionCreate,
  SalePaid,
  SalePaymentsCreate,
  SaleRefundCreate,
  SaleRefunded,
  SaleVoided,
} from '../../api/schemas.ts'

const changed = [
  'orders',
  'refunds',
  'transactions',
  'inventories',
  'inventory-history',
  'sessions',
  'reports',
] as const

const refreshed = (client: QueryClient, companyId: string): Promise<unknown> =>
  Promise.all(changed.map((many) => refresh(client, companyId, many)))

/** Completes, pays, refunds and voids the order with that id. `key` is the idempotency key; `etag` is of the version that was shown. */
export function useReturns(orderId: string) {
  const scope = useScope()
  const client = useQueryClient()
  const post = async <T>(
    what: 'complete' | 'payments' | 'refund' | 'void',
    body: unknown,
    key: string,
    etag?: string,
  ): Promise<T> => {
    try {
      return await get<T>(scope, `/v1/sale/${orderId}/${what}`, {
        method: 'POST',
        body,
        headers: { 'idempotency-key': key, ...(etag && { 'if-match': etag }) },
      })
    } finally {
      // Also after a failure: another till may have been first.
      await refreshed(client, scope.companyId)
    }
  }
  return {
    pay: (body: SalePaymentsCreate, key: string, etag: string) => post<SalePaid>('payments', body, key, etag),
    complete: (body: SaleCompletionCreate, key: string, etag: string) => post<Sale>('complete', body, key, etag),
    refund: (body: SaleRefundCreate, key: string) => post<SaleRefunded>('refund', body, key),
    void: (restock: boolean, key: string) => post<SaleVoided>('void', { restock }, key),
  }
}
