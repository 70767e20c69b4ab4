// Completions, payments and the cancellation of an order, refunds and voids of a sale; afterwards all pages that show what they changed read it again.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import { get, type RequestOptions } from '../../api/request.ts'
import type {
  Order,
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

/** Completes, pays, cancels, refunds and voids the order with that id. `key` is the idempotency key; `etag` is of the version that was shown. */
export function useReturns(orderId: string) {
  const scope = useScope()
  const client = useQueryClient()
  const sent = async <T>(path: string, options: RequestOptions): Promise<T> => {
    try {
      return await get<T>(scope, path, options)
    } finally {
      // Also after a failure: another till may have been first.
      await refreshed(client, scope.companyId)
    }
  }
  const post = <T>(
    what: 'complete' | 'payments' | 'refund' | 'void',
    body: unknown,
    key: string,
    etag?: string,
  ): Promise<T> =>
    sent(`/v1/sale/${orderId}/${what}`, {
      method: 'POST',
      body,
      headers: { 'idempotency-key': key, ...(etag && { 'if-match': etag }) },
    })
  return {
    pay: (body: SalePaymentsCreate, key: string, etag: string) => post<SalePaid>('payments', body, key, etag),
    complete: (body: SaleCompletionCreate, key: string, etag: string) => post<Sale>('complete', body, key, etag),
    refund: (body: SaleRefundCreate, key: string) => post<SaleRefunded>('refund', body, key),
    cancel: (etag: string) =>
      sent<Order>(`/v1/order/${orderId}`, {
        method: 'PATCH',
        body: { status: 'cancelled' },
        headers: { 'if-match': etag },
      }),
    void: (restock: boolean, key: string) => post<SaleVoided>('void', { restock }, key),
  }
}
