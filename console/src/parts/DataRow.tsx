// A row of a table: a link in its first cell, and a click anywhere in it that leads there.
import { Checkbox, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { text } from '../texts/many.ts'
import classes from './DataTable.module.css'

export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** Shows the title only to screen readers: the column holds the row's actions. */
  readonly isTitleHidden?: boolean
  readonly render: (row: Row) => ReactNode
  /** Pixels; the first column also takes the remaining width. */
  readonly width: number
  readonly align?: 'left' | 'right'
  /** A number, or yes or no, that says nothing without its title, which cards then show beside it. */
  readonly isTitled?: boolean
  /** On cards it is beside the name, where below it there may be no room. */
  readonly isBesideName?: (row: Row) => boolean
  /** The name says it already, so that cards leave it out. */
  readonly isInName?: (row: Row) => boolean
  /** What cards show in place of `render`. */
  readonly renderOnCard?: (row: Row) => ReactNode
  /** The member to sort by, if the list can. */
  readonly sortKey?: string
}

/** Opens the target of a clicked row, unless the click was on something of its own, or selected text. */
export function useOpen<Row>(linkOf: ((row: Row) => string) | undefined) {
  const navigate = useNavigate()
  return (event: MouseEvent, row: Row) => {
    const isOwn = (event.target as HTMLElement).closest('a, button, input, label, [role="checkbox"]') !== null
    if (linkOf === undefined || isOwn || window.getSelection()?.toString() !== '') return
    if (event.ctrlKey || event.metaKey) window.open(`/console${linkOf(row)}`, '_blank', 'noreferrer')
    else void navigate({ href: `/console${linkOf(row)}` })
  }
}

/** Which rows are selected, and how that changes. */
export interface TableSelection<Row> {
  readonly has: (row: Row) => boolean
  /** The row's name, for its checkbox. */
  readonly nameOf: (row: Row) => string
  /** With Shift, all rows since the last one too. */
  readonly toggle: (index: number, isRange: boolean) => void
  readonly toggleShown: () => void
  /** How many of the rows that were read are selected. */
  readonly shown: 'none' | 'some' | 'all'
}

/** Pixels of the column of checkboxes. */
export const checkWidth = 42

export function SelectAll<Row>({ selection: { shown, toggleShown } }: { selection: TableSelection<Row> }) {
  return (
    <th scope="col" className={classes.check}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in it. */}
      <label>
        <Checkbox
          aria-label={text.selectAll}
          checked={shown === 'all'}
          indeterminate={shown === 'some'}
          onChange={toggleShown}
        />
      </label>
    </th>
  )
}

interface BodyRowProps<Row> {
  readonly selection: TableSelection<Row> | undefined
  /** One cell with all that there is room for, on phones. */
  readonly isCard: boolean
  readonly columns: readonly Column<Row>[]
  /** The target of the row. */
  readonly linkOf: ((row: Row) => string) | undefined
  readonly row: Row
  readonly index: number
  readonly isGone: boolean
  readonly open: (event: MouseEvent, row: Row) => void
}

export function BodyRow<Row>({ row, index, columns, linkOf, isGone, open, selection, isCard }: BodyRowProps<Row>) {
  const isSelected = selection?.has(row) === true
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      data-gone={isGone || undefined}
      data-selected={isSelected || undefined}
      data-link={linkOf !== undefined || undefined}
      onClick={(event) => open(event, row)}
    >
      {selection && (
        <td className={classes.check} onMouseDown={withoutTextSelection}>
          {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in it. */}
          <label>
            <Checkbox
              aria-label={text.selectRow(selection.nameOf(row))}
              checked={isSelected}
              onChange={(event) => selection.toggle(index, (event.nativeEvent as globalThis.MouseEvent).shiftKey)}
            />
          </label>
        </td>
      )}
      {isCard ? (
        <Card {...{ row, columns, linkOf }} />
      ) : (
        columns.map(({ key, align, isTitleHidden, render }, n) => (
          <td key={key} data-align={align} data-actions={isTitleHidden}>
            {n === 0 && linkOf !== undefined ? <RowLink to={linkOf(row)}>{render(row)}</RowLink> : render(row)}
          </td>
        ))
      )}
    </tr>
  )
}

/** The name, an amount and the row's actions, and below them the other columns, as far as there is room. */
function Card<Row>({ row, columns, linkOf }: Pick<BodyRowProps<Row>, 'row' | 'columns' | 'linkOf'>) {
  const [first, ...rest] = columns
  const others = rest.filter(({ isInName }) => isInName?.(row) !== true)
  const actions = others.find(({ isTitleHidden }) => isTitleHidden)
  const amount = others.find(({ align, isTitleHidden }) => align === 'right' && !isTitleHidden)
  const beside = others.find(({ isBesideName }) => isBesideName?.(row))
  const name = (first?.renderOnCard ?? first?.render)?.(row)
  return (
    <td className={classes.card}>
      <div>
        {linkOf ? <RowLink to={linkOf(row)}>{name}</RowLink> : name}
        {beside && <span className={classes.beside}>{beside.render(row)}</span>}
        {amount && <Amount column={amount} row={row} />}
        {actions && <span>{actions.render(row)}</span>}
      </div>
      <div className={classes.rest}>
        {others
          .filter((column) => column !== amount && column !== actions && column !== beside)
          .map(({ key, title, isTitled = false, render, renderOnCard = render }) => (
            <span key={key}>
              <CardTitle {...{ title, isTitled }} />
              <bdi>{renderOnCard(row)}</bdi>
            </span>
          ))}
      </div>
    </td>
  )
}

/** A click with Shift would select the text between the rows. */
const withoutTextSelection = (event: MouseEvent) => {
  if (event.shiftKey) event.preventDefault()
}

/** A plain anchor, so that it can be opened in a new tab; a plain click stays in the page. */
function RowLink({ to, children }: { to: string; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <a
      href={`/console${to}`}
      className={classes.link}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        void navigate({ href: `/console${to}` })
      }}
    >
      {children}
    </a>
  )
}

/** The amount of a card, such as a total. */
function Amount<Row>({ column: { title, isTitled, render }, row }: { column: Column<Row>; row: Row }) {
  const value = render(row)
  if (!isTitled || value === '') return <span>{value}</span>
  return (
    <span className={classes.amount}>
      <CardTitle title={title} isTitled />
      <span>{value}</span>
    </span>
  )
}

/** The title of a value on a card: most values need it only to be read aloud. */
function CardTitle({ title, isTitled }: { title: string; isTitled: boolean }) {
  if (!isTitled) return <VisuallyHidden>{`${title}: `}</VisuallyHidden>
  return <span className={classes.title}>{`${title} `}</span>
}
