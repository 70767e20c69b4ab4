// Where the stock in a file goes: each location of the shop is matched to an outlet of the company.

import type { Scope } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import type { CsvFile } from './csv.ts'
import { normalHeading } from './layout.ts'
import { type Cell, stockOf } from './values.ts'

/** The company that a file is loaded into, and what the request says about outlets. */
export interface StockTarget {
  readonly database: Database
  readonly scope: Scope
  readonly file: CsvFile
  /** The outlet that the request names, for stock or for orders; '' if it names none. */
  readonly outletId: string
  /** Finds the default outlet: the one that the request names, else the company's first one, which is created if there is none. */
  readonly defaultOutlet: () => Promise<string>
  /** The outlets that were chosen for locations of the file; null leaves the stock of a location out. */
  readonly chosen?: Readonly<Record<string, string | null>>
}

/** The outlet of a location; undefined if its stock is not imported. A file without locations has one, named ''. */
export type OutletOf = (location: string) => string | undefined

/** The stock of a variant at an outlet. */
export interface OutletStock {
  readonly outletId: string
  readonly stock: number
}

/** The level in a cell of a location; none if the cell is empty or the location has no outlet. */
export function levelsAt(outletOf: OutletOf, location: string, cell: Cell, separator: string): OutletStock[] {
  const outletId = cell.text === '' ? undefined : outletOf(location)
  const stock = outletId === undefined ? undefined : stockOf(cell, separator)
  return outletId === undefined || stock === undefined ? [] : [{ outletId, stock }]
}

/** A location of a file, its outlet if it has one, and how many variants have stock there. */
export interface FileLocation {
  readonly location: string
  readonly outletId?: string | undefined
  readonly variants: number
}

/** The outlets of locations, and the locations for which one has to be chosen. */
interface LocationOutlets {
  readonly outletOf: OutletOf
  readonly outletIds: readonly string[]
  readonly open: readonly string[]
}

/**
 * Finds the outlet of each location: the chosen one, else the one with its name or alias. The only location of a file gets the
 * outlet that the request names, or the default outlet if no outlet has its name. If the request names an outlet, the stock of other
 * locations is not imported. Locations that share an outlet get none, since its level cannot have the numbers of both.
 */
export async function locationOutlets(target: StockTarget, locations: readonly string[]): Promise<LocationOutlets> {
  const { outletId, chosen = {} } = target
  const outlets = await outletsOf(target)
  const choices = new Map(Object.entries(chosen))
  const isAlone = locations.length === 1
  const found = new Map<string, string>()
  const open: string[] = []
  for (const location of locations) {
    const choice = choices.get(location)
    const named = outlets.filter(({ names }) => names.includes(normalHeading(location))).map(({ id }) => id)
    if (choice === null) continue
    // A chosen outlet may have been deleted since.
    if (choice !== undefined && outlets.some(({ id }) => id === choice)) found.set(location, choice)
    else if (choice !== undefined) open.push(location)
    else if (outletId !== '' && (isAlone || named.includes(outletId))) found.set(location, outletId)
    else if (outletId === '' && named.length === 1) found.set(location, String(named[0]))
    else if (isAlone && named.length === 0) found.set(location, await target.defaultOutlet())
    else open.push(location)
  }
  for (const sharing of Map.groupBy(found.keys(), (location) => found.get(location)).values())
    if (sharing.length > 1)
      for (const location of sharing) {
        found.delete(location)
        open.push(location)
      }
  // An import for one outlet needs no others, except those that were chosen.
  const isFound = outletId !== '' && [...found.values()].includes(outletId)
  const needed = isFound ? open.filter((location) => choices.has(location)) : open
  return { outletOf: (location) => found.get(location), outletIds: [...found.values()], open: needed }
}

/** Why the stock of locations is not imported. */
export const withoutOutlet = (locations: readonly string[]): string =>
  `the stock of ${locations.map((location) => `"${location}"`).join(', ')} is not imported: each location needs exactly one outlet of its own, with its name or alias; rename an outlet, or choose one for the location`

interface NamedOutlet {
  readonly id: string
  /** Its name and its alias, as headings are compared. */
  readonly names: readonly string[]
}

async function outletsOf({ database, scope }: StockTarget): Promise<NamedOutlet[]> {
  const rows = await database.query(
    `select id, coalesce(body ->> 'name', ''), coalesce(body ->> 'alias', '') from outlets where company_id = $1`,
    [scope.companyId],
  )
  return rows.map(([id, ...names]) => ({ id, names: names.map(normalHeading).filter(Boolean) }))
}
