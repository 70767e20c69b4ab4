// The stock of a variant in the grid: of a stored one its levels, of a new one inputs for its first levels.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import type { Variant } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/catalog.ts'
import classes from './VariantRow.module.css'
import { levelOf, type Row, withLevel } from './variant-rows.ts'
import { stockOf } from './variants.ts'

const shownOutlets = 3

export function Stock({ variant }: { variant: Variant }) {
  const format = useFormat()
  const levels = variant.inventory
  const isCounted = variant.manageStock === true
  if (levels.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {isCounted ? text.nowhere : text.notCounted}
      </Text>
    )
  return (
    <>
      {format.number(stockOf(variant))}
      {!isCounted && <span className="muted"> · {text.notCounted}</span>}
      <Text size="xs" c="dimmed" component="ul" className={classes.levels}>
        {levels.slice(0, shownOutlets).map(({ outletId, stock }) => (
          <li key={outletId}>
            <span className="name">
              <RecordName many="outlets" id={outletId} isPlain />
            </span>
            <span>{format.number(stock)}</span>
          </li>
        ))}
        {levels.length > shownOutlets && <li>{text.moreOutlets(levels.length - shownOutlets)}</li>}
      </Text>
    </>
  )
}

interface NewStockProps {
  readonly row: Row
  readonly name: string
  readonly change: ((row: Row) => void) | undefined
}

/** Inputs for the stock at the first outlets; at others, and later, stock is counted in the sheet. */
export function NewStock({ row, name, change }: NewStockProps) {
  const { data } = useQuery({ ...someQuery(useScope(), 'outlets', outletsQuery), staleTime: 60_000 })
  const outlets = data?.data ?? []
  if (change === undefined || outlets.length === 0 || row.values.manageStock !== true)
    return <Text size="xs">{text.unsavedVariant}</Text>
  const more = (data?.meta.count ?? 0) - outlets.length
  return (
    <ul className={classes.levels}>
      {outlets.map((outlet) => (
        <li key={outlet.id} className={classes.level}>
          {outlets.length > 1 && (
            <Text size="xs" c="dimmed" lineClamp={2} title={outlet.name}>
              <bdi>{outlet.name}</bdi>
            </Text>
          )}
          <NumberText
            size="xs"
            w={56}
            aria-label={text.stockAt(name, outlet.name ?? outlet.id)}
            value={levelOf(row, outlet.id)}
            onChange={(stock) => change(withLevel(row, outlet.id, stock))}
          />
        </li>
      ))}
      {more > 0 && (
        <li>
          <Text size="xs" c="dimmed">
            {text.moreOutlets(more)}
          </Text>
        </li>
      )}
    </ul>
  )
}

const outletsQuery = { limit: shownOutlets, sortBy: 'sequenceNumber' }
