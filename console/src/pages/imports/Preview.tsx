// How a file was understood: its first products as they will be, and what became of its columns.
import { Badge, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWhose } from '../../api/company.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'
import { labelOf } from '../../texts/members.ts'
import classes from './ImportPage.module.css'
import {
  type ImportJob,
  type PreviewedProduct,
  type PreviewedVariant,
  previewQuery,
  type Preview as Understood,
} from './import-job.ts'

export function Preview({ job }: { job: ImportJob }) {
  const { data, error, refetch } = useQuery(previewQuery(useWhose(), job))
  if (error) return <Failure error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={320} radius="lg" />
  return (
    <>
      {data.preview.length > 0 && <Products products={data.preview} />}
      <Columns columns={data.columns} />
    </>
  )
}

const colors: Readonly<Record<string, string>> = { created: 'teal', updated: 'blue', unchanged: 'gray' }

function Products({ products }: { products: Understood['preview'] }) {
  return (
    <section aria-labelledby="preview">
      <Title order={2} id="preview" mb="sm">
        {text.preview}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who scrolls by keyboard has to get into it. */}
      <section className={classes.scroll} aria-label={text.preview} tabIndex={0}>
        <table className={classes.table} style={{ minWidth: 680 }}>
          <thead>
            <tr>
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
            </tr>
          </thead>
          {products.map((product, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they stand in the order of the file, and none moves.
            <Product key={index} product={product} />
          ))}
        </table>
      </section>
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
          <Badge color={colors[outcome] ?? 'gray'}>{text.outcomes[outcome] ?? outcome}</Badge>
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
      <td data-align="right">{format.money(variant?.price)}</td>
      <td data-align="right">{format.number(variant?.stock)}</td>
    </>
  )
}

function Columns({ columns }: { columns: Understood['columns'] }) {
  const taken = columns.filter(({ as }) => as !== undefined)
  const passed = columns.filter(({ as }) => as === undefined)
  return (
    <section aria-labelledby="columns">
      <Title order={2} id="columns" mb="sm">
        {text.columns}
      </Title>
      <div className={classes.card}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{text.column}</th>
              <th scope="col">{text.as}</th>
            </tr>
          </thead>
          <tbody>
            {taken.map(({ column, as = '' }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: headings may stand twice.
              <tr key={index}>
                <td>
                  <bdi>{column}</bdi>
                </td>
                <td>{as.split('.').map(labelOf).join(' · ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {passed.length > 0 && (
          <div className={classes.foot}>
            <Text size="sm" c="dimmed" w="100%">
              {text.passedOver(passed.length)}
            </Text>
            {passed.map(({ column }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <Badge key={index} color="gray" maw="100%">
                <bdi>{column}</bdi>
              </Badge>
            ))}
          </div>
        )}
      </div>
    </section>
  )
}
