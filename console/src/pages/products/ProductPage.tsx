// A product: its key facts, and its form with the variants, which have prices and stock.
import { Anchor, Menu } from '@mantine/core'
import { IconTags } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam, useScope } from '../../api/company.ts'
import { listQuery, type RecordData, type Versioned } from '../../api/records.ts'
import { type Resource, useResource } from '../../api/resources.ts'
import { sumOf } from '../../parts/decimal.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RecordForm } from '../../parts/RecordForm.tsx'
import { sectionsOf } from '../../parts/sections.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/catalog.ts'
import { text as labels } from '../../texts/labels.ts'
import { labelOf } from '../../texts/members.ts'
import { text as records } from '../../texts/records.ts'
import { useLabelsOf } from '../labels/LabelsButton.tsx'
import { History, HistoryWaiting } from '../records/history/History.tsx'
import { About, OneRecord } from '../records/OneRecord.tsx'
import { OutletsCard } from './OutletsCard.tsx'
import { useVariantRows, VariantRowsContext } from './use-variant-rows.ts'
import { VariantsInput } from './VariantsInput.tsx'
import { isToSave, offeredRow } from './variant-rows.ts'
import { stockOf, variantsQuery } from './variants.ts'

const inputs = { attributes: VariantsInput }
/** Whether a new product is variable is the number of its variants. */
const computed: ReadonlySet<string> = new Set(['productType'])

export function ProductPage() {
  const id = useParam('id')
  const resource = useResource('products')
  if (id === 'new') return <NewProduct resource={resource} />
  return (
    <OneRecord
      key={id}
      resource={resource}
      id={id}
      size="middle"
      consequence={<Orphans productId={id} />}
      menu={({ record }) => <LabelsItem product={record} />}
      history={({ record }) => <ProductHistory resource={resource} record={record} />}
      body={(versioned) => (
        <>
          <ProductForm resource={resource} versioned={versioned} />
          <OutletsCard product={versioned.record} />
        </>
      )}
    >
      {(versioned) => <ProductFacts {...versioned} />}
    </OneRecord>
  )
}

/** Says what to do with the variants of a product that has some. */
function Orphans({ productId }: { productId: string }) {
  const { data } = useInfiniteQuery(listQuery(useScope(), 'variants', variantsQuery(productId)))
  return (data?.pages[0]?.data.length ?? 0) > 0 && <span>{text.productOrphans}</span>
}

/** With the changes of its variants, whose prices are what people look for. */
function ProductHistory({ resource, record }: { resource: Resource; record: RecordData }) {
  const { data, error, refetch } = useInfiniteQuery(listQuery(useScope(), 'variants', variantsQuery(record.id)))
  if (data === undefined) return <HistoryWaiting error={error} retry={() => void refetch()} />
  const [{ meta } = { meta: { count: 0 } }] = data.pages
  const ids = data.pages.flatMap((page) => page.data.map(({ id }) => id))
  return <History resource={resource} record={record} parts={ids} partCount={meta.count ?? ids.length} />
}

function LabelsItem({ product }: { product: RecordData }) {
  const print = useLabelsOf('products')
  const { run } = useAction()
  return (
    <Menu.Item leftSection={<IconTags size={15} />} onClick={() => void run(async () => print?.([product]))}>
      {labels.printLabels}
    </Menu.Item>
  )
}

function ProductForm({ resource, versioned }: { resource: Resource; versioned: Versioned }) {
  const { id } = versioned.record
  const rows = useVariantRows(versioned.record)
  return (
    <VariantRowsContext value={rows}>
      <RecordForm
        {...{ resource, versioned, inputs }}
        part={{ ...rows, save: () => void rows.save(id) }}
        onSaved={() => rows.isDirty && void rows.save(id, true)}
      >
        <About versioned={versioned} />
      </RecordForm>
    </VariantRowsContext>
  )
}

const initial = { status: 'active' }

function NewProduct({ resource }: { resource: Resource }) {
  const { companyId } = useScope()
  const navigate = useNavigate()
  const [first] = useState(() => [offeredRow()])
  const rows = useVariantRows(undefined, first)
  const list = `/c/${companyId}/${resource.many}`
  const sections = sectionsOf(resource).map(({ title, members }) => ({
    title,
    members: members.filter(({ name }) => !computed.has(name)),
  }))

  async function finish({ record }: Versioned) {
    if (rows.isDirty) await rows.save(record.id, true)
    rows.handOver(record.id)
    void navigate({ to: `${list}/${record.id}`, replace: true })
  }

  return (
    <PageBody size="middle">
      <PageHeader title={records.new(resource.singular)} above={{ label: resource.title, to: list }} />
      <VariantRowsContext value={rows}>
        <RecordForm
          {...{ resource, sections, initial }}
          inputs={inputs}
          part={{ ...rows, save: () => {} }}
          complete={(body) => ({ productType: rows.rows.filter(isToSave).length > 1 ? 'variable' : 'simple', ...body })}
          onSaved={(versioned) => void finish(versioned)}
        />
      </VariantRowsContext>
    </PageBody>
  )
}

function ProductFacts({ record }: Versioned) {
  const scope = useScope()
  const format = useFormat()
  const { data, hasNextPage } = useInfiniteQuery(listQuery(scope, 'variants', variantsQuery(record.id)))
  const variants = data?.pages.flatMap((page) => page.data) ?? []
  const prices = variants.flatMap(({ price }) => (typeof price === 'number' ? [price] : []))
  const least = record.minPrice ?? Math.min(...prices)
  const most = record.maxPrice ?? Math.max(...prices)
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
            (least === most ? format.price(least) : `${format.price(least)} – ${format.price(most)}`),
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
