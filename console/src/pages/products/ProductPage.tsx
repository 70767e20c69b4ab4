// A product: its key facts, and its form with the variants, which have prices and stock.
import { Anchor } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParam, useWhose } from '../../api/company.ts'
import { listQuery, type Versioned } from '../../api/records.ts'
import { useResource } from '../../api/resources.ts'
import { sumOf } from '../../parts/decimal.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/catalog.ts'
import { labelOf } from '../../texts/members.ts'
import { NewRecord, OneRecord } from '../records/OneRecord.tsx'
import { PriceInput } from './PriceInput.tsx'
import { VariantsCard } from './VariantsCard.tsx'
import { stockOf, variantsQuery } from './variants.ts'

const priceInputs = { minPrice: PriceInput, maxPrice: PriceInput }

export function ProductPage() {
  const id = useParam('id')
  const resource = useResource('products')
  if (id === 'new') return <NewRecord resource={resource} initial={{ status: 'active', productType: 'simple' }} />
  return (
    <OneRecord
      key={id}
      resource={resource}
      id={id}
      consequence={text.productOrphans}
      inputs={priceInputs}
      inserted={({ record }) => <VariantsCard product={record} />}
    >
      {(versioned) => <ProductFacts {...versioned} />}
    </OneRecord>
  )
}

function ProductFacts({ record }: Versioned) {
  const whose = useWhose()
  const format = useFormat()
  const { data, hasNextPage } = useInfiniteQuery(listQuery(whose, 'variants', variantsQuery(record.id)))
  const variants = data?.pages.flatMap((page) => page.data) ?? []
  const prices = variants.flatMap(({ price }) => (typeof price === 'number' ? [price] : []))
  const [least, most] = [record.minPrice ?? Math.min(...prices), record.maxPrice ?? Math.max(...prices)]
  const counted = variants.filter(({ manageStock }) => manageStock)
  const count = data?.pages[0]?.meta.count
  return (
    <Facts
      facts={[
        [
          text.variants,
          count === undefined ? (
            '–'
          ) : (
            <Anchor key="variants" href="#variants" fw={500}>
              {format.number(count)}
            </Anchor>
          ),
        ],
        [
          text.price,
          Number.isFinite(least) &&
            (least === most ? format.money(least) : `${format.money(least)} – ${format.money(most)}`),
        ],
        [
          text.stockAll,
          counted.length > 0 &&
            !hasNextPage &&
            format.number(Number(sumOf(counted.map((variant) => stockOf(variant))))),
        ],
        [labelOf('supplier'), record.supplier],
      ]}
    />
  )
}
