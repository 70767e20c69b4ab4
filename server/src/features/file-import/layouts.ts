// The layouts of files of customers and of orders, which are recognized by headings of their own.

import { OperatorError } from '../../core/operator-error.ts'
import { type ColumnPositions, headerBeginning, type Layout, mappedColumns, matchColumns } from './columns.ts'
import type { CsvFile } from './csv.ts'
import type { Format, Loading } from './load.ts'

/** A file of customers or orders: where its members are. If it has several headings of a member, the first counts. */
export interface FileLayout<Member extends string>
  extends Layout<Member>,
    Pick<Format, 'kind' | 'shop' | 'source' | 'what' | 'needs' | 'signs'> {
  /** What a further column becomes, by its normalized heading; metadata by default. */
  readonly others?: (normal: string) => string | undefined
}

/** The columns of a file by the members of a layout. Throws an OperatorError that names what is missing. */
export function columnsOf<Member extends string>(file: CsvFile, layout: FileLayout<Member>): ColumnPositions<Member> {
  const { columns, missing } = matchColumns(file, layout, ([first, second]) => {
    if (first && second?.name === first.name)
      throw new OperatorError(`${file.name} has the column "${file.headings[first.at]}" twice. Remove one of them.`)
    return first?.at
  })
  if (missing !== undefined)
    throw new OperatorError(`${file.name} is not ${layout.what}: ${missing}. ${headerBeginning(file)}`)
  return columns
}

/** The format of the files with a layout. */
export function formatOfLayout<Member extends string>(
  layout: FileLayout<Member>,
  load: (loading: Loading) => Promise<void>,
): Format {
  const { kind, shop, source, what, needs, signs, others = () => 'metadata' } = layout
  return {
    kind,
    shop,
    source,
    what,
    signs,
    load,
    ...(needs !== undefined && { needs }),
    check: (file) => void columnsOf(file, layout),
    columnMapping: (file) => mappedColumns(file, layout, columnsOf(file, layout), ({ normal }) => others(normal)),
  }
}
