// Names of products, read only for visible rows: a sheet has thousands of rows and shows twenty.
import { useDebouncedCallback } from '@mantine/hooks'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import { recordQuery, type Versioned } from '../../api/records.ts'
import type { Row } from './rows.ts'

const isOurs = (id: string) => /^[0-9a-f]{24}$/.test(id)

export function useProductNames() {
  const scope = useScope()
  const client = useQueryClient()
  const [wanted, setWanted] = useState<readonly string[]>([])
  useQueries({
    queries: wanted.map((id) => ({
      ...recordQuery(scope, 'product', 'products', id),
      staleTime: 5 * 60_000,
      retry: false,
    })),
  })
  // Rows that only scroll by are not requested.
  const onVisible = useDebouncedCallback((rows: readonly Row[]) => {
    const next = [...new Set(rows.map(({ productId }) => productId).filter(isOurs))]
    setWanted((before) => (before.join() === next.join() ? before : next))
  }, 80)
  /** Undefined while loading; empty if there is no such product. */
  const productName = (id: string): string | undefined => {
    if (!isOurs(id)) return ''
    const state = client.getQueryState<Versioned>(recordQuery(scope, 'product', 'products', id).queryKey)
    return state?.data?.record.name ?? (state?.status === 'error' ? '' : undefined)
  }
  /** The same once it is read. */
  async function readProductName(id: string): Promise<string> {
    if (!isOurs(id)) return ''
    const query = { ...recordQuery(scope, 'product', 'products', id), staleTime: 5 * 60_000, retry: false }
    const found = await client.fetchQuery(query).catch(() => undefined)
    return found?.record.name ?? ''
  }
  return { productName, readProductName, onVisible }
}
