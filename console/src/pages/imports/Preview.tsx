// The preview of a file: its first records after the import, and the column mapping.
import { Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import type { Import, ImportPreview, PreviewedProduct, PreviewedVariant } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'
import { Changes } from './Changes.tsx'
import { Columns } from './Columns.tsx'
import classes from './ImportPage.module.css'
import { previewQuery } from './import-job.ts'
import { Locations } from './Locations.tsx'
import { Outcome } from './Outcome.tsx'
import { Customers, Orders } from './PreviewedRecords.tsx'
import { ReportTable } from './ReportTable.tsx'

export function Preview({ job }: { job: Import }) {
  const { data, error, refetch } = useQuery(previewQuery(useScope(), job))
  if (error && data === undefined) return <Failure error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={320} radius="lg" />
  const isDone = ['done', 'undoing', 'undone'].includes(job.state)
  return (
    <>
      {data.locations && <Locations job={job} locations={data.locations} />}
      {job.state === 'ready' && data.changes !== undefined && data.changes.length > 0 && (
        <Changes job={job} changes={data.changes} />
      )}
      {data.preview.length > 0 && <Products products={data.preview} isDone={isDone} />}
      {data.customers && data.customers.length > 0 && <Customers customers={data.customers} isDone={isDone} />}
      {data.orders && data.orders.length > 0 && <Orders orders={data.orders} isDone={isDone} />}
      <Columns columns={data.columns} />
    </>
  )
}

function Products({ products, isDone }: { products: ImportPreview['preview']; isDone: boolean }) {
  const head = (
    <>
      <th scope="col">{text.product}</th>
      <th scope="col">{text.sku}</th>
      <th scope="col" data-align="right">
        {text.price}
      </th>
      <th scope="col" data-align="right">
        {text.onHand}
      </th>
      <th scope="col">{text.inCategories}</th>
      <th scope="col">{text.will}</th>
    </>
  )
  return (
    <section aria-labelledby="preview">
      <Title order={2} id="preview" mb="sm">
        {(isDone ? text.previewDone : text.preview).products}
      </Title>
      <ReportTable head={head} minWidth={680}>
        {products.map((product, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are in the order of the file, and none moves.
          <Product key={index} product={product} />
        ))}
      </ReportTable>
    </section>
  )
}

function Product({ product }: { product: PreviewedProduct }) {
  const { name, sku, categories = [], outcome, variants, variantsCount } = product
  const [only] = variants
  const isOne = variantsCount === 1 && only !== undefined && attributesOf(only) === ''
  const more = variantsCount - variants.length
  return (
    <tbody>
      <tr className={isOne || variants.length === 0 ? undefined : classes.group}>
        <td>
          <Text inherit fw={500} component="span" lineClamp={2}>
            <bdi>{name}</bdi>
          </Text>
        </td>
        <td>
          <bdi>{(isOne ? only.sku : undefined) ?? sku}</bdi>
        </td>
        <Amounts variant={isOne ? only : undefined} />
        <td>
          <bdi>{categories.join(', ')}</bdi>
        </td>
        <td>
          <Outcome outcome={outcome} />
        </td>
      </tr>
      {!isOne &&
        variants.map((variant, index) => (
          <tr
            // biome-ignore lint/suspicious/noArrayIndexKey: as the products.
            key={index}
            className={index === variants.length - 1 && more <= 0 ? classes.last : classes.variant}
          >
            <td>
              <bdi>{attributesOf(variant) || variant.sku}</bdi>
            </td>
            <td>
              <bdi>{variant.sku}</bdi>
            </td>
            <Amounts variant={variant} />
            <td />
            <td>{variant.outcome !== outcome && (text.outcomes[variant.outcome] ?? variant.outcome)}</td>
          </tr>
        ))}
      {more > 0 && (
        <tr className={classes.last}>
          <td colSpan={6}>{text.moreVariants(more)}</td>
        </tr>
      )}
    </tbody>
  )
}

const attributesOf = ({ attributes = [] }: PreviewedVariant): string =>
  attributes.flatMap(({ value }) => value ?? []).join(' / ')

function Amounts({ variant }: { variant: PreviewedVariant | undefined }) {
  const format = useFormat()
  return (
    <>
      <td data-align="right">{format.price(variant?.sellingPrice)}</td>
      <td data-align="right">{format.number(variant?.stock)}</td>
    </>
  )
}
