// One row of the saved sheet: a variant and its visible cells.

import { Badge, Skeleton, Tooltip, VisuallyHidden } from '@mantine/core'
import type { VirtualItem } from '@tanstack/react-virtual'
import { memo } from 'react'
import { text } from '../../texts/sheet.ts'
import { type Edit, keyOf } from './edits.ts'
import type { Head } from './format.ts'
import type { Row } from './rows.ts'
import { type Editing, SheetCell } from './SheetCell.tsx'
import classes from './SheetGrid.module.css'

/** Widths of the leading columns; without the second one, the first one shows its content. */
export interface Lead {
  readonly name: number
  readonly code: number
}

interface SheetRowProps {
  readonly row: Row
  readonly index: number
  readonly top: number
  readonly width: number
  readonly lead: Lead
  /** Undefined while loading; empty if there is no such product. */
  readonly productName: string | undefined
  readonly heads: readonly Head[]
  readonly columns: readonly VirtualItem[]
  /** Edits of this row, by cell. */
  readonly edits: ReadonlyMap<string, Edit> | undefined
  /** The column of the active cell, if it is in this row. */
  readonly active: number | undefined
  readonly selectedFrom: number
  readonly selectedTo: number
  readonly fillCorner: number | undefined
  readonly editing: Editing | undefined
  readonly onType: (text: string) => void
  readonly onLeave: () => void
}

/** A variant's display name. */
export const nameOf = (row: Row, productName: string | undefined): string =>
  [productName, row.attributes].filter(Boolean).join(' · ') || row.sku || row.id

export const SheetRow = memo(function SheetRow(props: SheetRowProps) {
  const { row, index, top, width, lead, productName, heads, columns, edits, active, editing } = props
  const { selectedFrom, selectedTo, fillCorner, onType, onLeave } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a sheet are virtual.
    // biome-ignore lint/a11y/useFocusableInteractive: its cells can be focused.
    <div
      role="row"
      className={classes.row}
      style={{ transform: `translateY(${top}px)`, width }}
      aria-rowindex={index + 2}
      data-index={index}
      data-active={active !== undefined || undefined}
    >
      <RowName row={row} productName={productName} lead={lead} />
      {lead.code > 0 && <RowCodes row={row} lead={lead} />}
      {columns.map(({ index: column, start, size }) => {
        const head = heads[column] as Head
        const isActive = active === column
        return (
          <SheetCell
            key={head.id}
            column={column}
            left={start}
            width={size}
            saved={row.values.get(head.id)}
            edit={edits?.get(keyOf({ variantId: row.id, headId: head.id }))}
            isMuted={row.badge !== undefined}
            format={head.format}
            isActive={isActive}
            isSelected={column >= selectedFrom && column <= selectedTo}
            isFillCorner={fillCorner === column}
            editing={isActive ? editing : undefined}
            label={text.at(nameOf(row, productName), head.name)}
            onType={onType}
            onLeave={onLeave}
          />
        )
      })}
    </div>
  )
})

/** The first leading column: the product's name, and what distinguishes its variants. */
function RowName({ row, productName, lead }: Pick<SheetRowProps, 'row' | 'productName' | 'lead'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the row.
    // biome-ignore lint/a11y/useFocusableInteractive: the cells of the row can be focused.
    <div
      role="rowheader"
      aria-busy={productName === undefined}
      aria-colindex={1}
      className={classes.lead}
      style={{ left: 0, width: lead.name }}
      data-edge={lead.code === 0 || undefined}
    >
      <div className={classes.name}>
        {productName === undefined ? (
          <>
            <Skeleton h={12} w="60%" my={3} />
            <VisuallyHidden>{nameOf(row, productName)}</VisuallyHidden>
          </>
        ) : (
          <bdi className="cut" title={nameOf(row, productName)}>
            {productName || row.sku || row.id}
          </bdi>
        )}
      </div>
      <div className={`${classes.second} cut`}>
        {row.badge && (
          <Tooltip label={row.badge.hint} multiline maw={260}>
            <Badge size="xs" color="gray" mr={6}>
              {row.badge.label}
            </Badge>
          </Tooltip>
        )}
        <bdi>{lead.code > 0 ? row.attributes : [row.attributes, row.sku].filter(Boolean).join(' · ')}</bdi>
      </div>
    </div>
  )
}

/** The second leading column: SKU and barcode. */
function RowCodes({ row, lead }: Pick<SheetRowProps, 'row' | 'lead'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the row.
    // biome-ignore lint/a11y/useFocusableInteractive: the cells of the row can be focused.
    <div
      role="rowheader"
      aria-colindex={2}
      className={classes.lead}
      style={{ left: lead.name, width: lead.code }}
      data-edge
    >
      <div className={`${classes.code} cut`} title={row.sku}>
        <bdi>{row.sku ?? '–'}</bdi>
      </div>
      <div className={`${classes.second} ${classes.code} cut`}>
        <bdi>{row.barcode}</bdi>
      </div>
    </div>
  )
}
