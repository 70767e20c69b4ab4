// The head of the saved sheet: the leading columns and the visible heads.
import type { VirtualItem } from '@tanstack/react-virtual'
import type { CSSProperties, ReactNode } from 'react'
import { text } from '../../texts/sheet.ts'
import type { Head } from './format.ts'
import classes from './SheetGrid.module.css'
import type { Lead } from './SheetRow.tsx'

interface SheetHeadProps {
  readonly width: number
  readonly lead: Lead
  readonly heads: readonly Head[]
  readonly columns: readonly VirtualItem[]
  /** The column of the active cell. */
  readonly active: number
}

export function SheetHead({ width, lead, heads, columns, active }: SheetHeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: nothing in it can be focused.
    <div role="row" aria-rowindex={1} className={classes.head} style={{ width }}>
      <HeadCell
        index={0}
        className={`${classes.lead} cut`}
        style={{ left: 0, width: lead.name }}
        isEdge={lead.code === 0}
      >
        {text.product}
      </HeadCell>
      {lead.code > 0 && (
        <HeadCell index={1} className={`${classes.lead} cut`} style={{ left: lead.name, width: lead.code }} isEdge>
          {text.code}
        </HeadCell>
      )}
      {columns.map(({ index, start, size }) => (
        <HeadCell
          key={heads[index]?.id}
          index={index + 2}
          className={classes.headCell as string}
          style={{ left: start, width: size }}
          isActive={index === active}
        >
          <bdi title={heads[index]?.name}>{heads[index]?.name}</bdi>
        </HeadCell>
      ))}
    </div>
  )
}

interface HeadCellProps {
  readonly index: number
  readonly className: string
  readonly style: CSSProperties
  readonly isEdge?: boolean
  readonly isActive?: boolean
  readonly children: ReactNode
}

function HeadCell({ index, className, style, isEdge, isActive, children }: HeadCellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: it is not interactive.
    <div
      role="columnheader"
      aria-colindex={index + 1}
      className={className}
      style={style}
      data-edge={isEdge || undefined}
      data-active={isActive || undefined}
    >
      {children}
    </div>
  )
}
