// The notations of WooCommerce's export within single cells: attributes in numbered columns, category paths,
// descriptions, sale dates.
import { DESCRIPTION_CHARACTERS, IMPORT_CATEGORIES_OF_ROW } from '../../core/limits.ts'
import type { Columns } from './columns.ts'
import { type Cell, listOf, pathOf, Refusal, refuse, textOf } from './values.ts'

/** One attribute of a row; `text` is its whole value, as a variation has it. */
export interface WooAttribute {
  name: string
  values: string[]
  text: string
}

interface AttributeColumns {
  /** All columns of this attribute that are not read in another way. */
  columns: number[]
  read: (row: { at: (index: number) => Cell }) => WooAttribute[]
}

/** The attributes that a file has columns for: `Attribute 1 name`, `Attribute 1 value(s)` and so on. */
export function attributeColumns(others: Columns<string>['others']): AttributeColumns[] {
  const byNumber = new Map<number, Record<string, number>>()
  for (const { at, normal } of others) {
    const [, number, part] = /^attribute (\d+) (name|value\(s\)|visible|global)$/.exec(normal) ?? []
    if (part) byNumber.set(Number(number), { ...byNumber.get(Number(number)), [part]: at })
  }
  const numbers = [...byNumber.entries()].sort(([one], [other]) => one - other)
  return numbers.map(([number, parts]) => ({
    columns: Object.values(parts),
    read: ({ at }) => {
      const name = textOf(at(parts.name ?? -1))
      const value = at(parts['value(s)'] ?? -1)
      if (name) return [{ name, values: listOf(value), text: value.text.replaceAll('\\,', ',') }]
      if (value.text) refuse(value, `has no name in the column Attribute ${number} name`)
      return []
    },
  }))
}

/** The categories in a cell: `Clothing > Shirts, Sale`. */
export function pathsOf(cell: Cell): string[][] {
  const paths = listOf(cell, Number.POSITIVE_INFINITY)
  if (paths.length > IMPORT_CATEGORIES_OF_ROW)
    refuse(cell, `names ${paths.length} categories; the maximum is ${IMPORT_CATEGORIES_OF_ROW}`)
  return paths.map((text) => pathOf({ ...cell, text })).filter((path) => path.length > 0)
}

/** A description: the export writes a line break as `\n`, and these two characters as `\\n`. */
export function descriptionOf(cell: Cell): string | undefined {
  const text = cell.text.replace(/\\(\\n|n)/g, (_, what) => (what === 'n' ? '\n' : '\\n'))
  return textOf({ ...cell, text }, DESCRIPTION_CHARACTERS)
}

/** True if a sale price is valid today, by its dates. */
export function isSaleTime(starts: Cell, ends: Cell, now: number = Date.now()): boolean {
  return momentOf(starts, '00:00:00', Number.NEGATIVE_INFINITY) <= now && now <= momentOf(ends, '23:59:59', Infinity)
}

function momentOf(cell: Cell, time: string, without: number): number {
  if (cell.text === '') return without
  const [, day, clock = time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d{1,2}:\d\d(?::\d\d)?).*)?$/.exec(cell.text) ?? []
  const moment = Date.parse(`${day}T${clock.replace(/^(?=\d:)/, '0')}Z`)
  if (Number.isNaN(moment))
    throw new Refusal(`${cell.heading} "${cell.text}" is not a date such as 2026-05-31`, cell.heading)
  return moment
}
