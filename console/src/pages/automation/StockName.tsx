// What a stock event is about: how much of which variant is where.
import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { recordQuery } from '../../api/records.ts'
import { titleOf } from '../../parts/record-title.ts'
import type { FeedEvent } from './triggers.ts'

/** Names are read for visible rows only: a count of a shop has thousands of events. */
export function StockName({ level }: { level: FeedEvent['data'] }) {
  const { ref, inViewport } = useInViewport()
  const { productId, variantId, outletId } = level
  return (
    <span ref={ref}>
      {titleOf('inventories', level as never)}
      {inViewport && (
        <>
          <Name one="product" many="products" id={productId} />
          <Name one="variant" many="variants" id={variantId} />
          <Name one="outlet" many="outlets" id={outletId} />
        </>
      )}
    </span>
  )
}

/** Nothing until it is read. An id of another system has no record here, and is shown. */
function Name({ one, many, id }: { one: string; many: string; id: unknown }) {
  const isOurs = /^[0-9a-f]{24}$/.test(String(id))
  const query = recordQuery(useScope(), one, many, String(id))
  const { data } = useQuery({ ...query, enabled: isOurs, staleTime: 60_000, retry: false })
  const name = data === undefined ? !isOurs && String(id ?? '') : titleOf(many, data.record)
  return name ? ` · ${name}` : null
}
