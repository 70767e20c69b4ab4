// Where the stock in a file goes: each location of the shop that wrote the file has an outlet of the company.

import { OperatorError } from '../../core/operator-error.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import type { CsvFile } from './csv.ts'
import { normalHeading } from './layout.ts'
import { type Cell, stockOf } from './values.ts'

/** The company that a file is loaded into, and what the request says of outlets. */
export interface StockTarget {
  readonly database: Database
  readonly scope: Scope
  readonly file: CsvFile
  /** The outlet that the request names, for stock or for orders; '' if it names none. */
  readonly outletId: string
  /** Finds the outlet of stock without one: the named one, else the company's first one, which is created if there is none. */
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
 * Finds the outlet of each location: the chosen one, else the one with its name or alias; of a file with one location, else the
 * outlet of the import. If the request names an outlet, the stock of other locations is not imported. Throws an OperatorError
 * if two locations have the same outlet.
 */
export async function locationOutlets(target: StockTarget, locations: readonly string[]): Promise<LocationOutlets> {
  const { outletId, chosen = {} } = target
  const outlets = await outletsOf(target)
  const choices = new Map(Object.entries(chosen).map(([location, id]) => [normalHeading(location), id]))
  const isAlone = locations.length === 1
  const found = new Map<string, string>()
  const open: string[] = []
  for (const location of locations) {
    const choice = choices.get(normalHeading(location))
    const named = outlets.filter(({ names }) => names.includes(normalHeading(location))).map(({ id }) => id)
    if (choice === null) continue
    if (choice !== undefined) found.set(location, existing(choice, location, outlets).id)
    else if (outletId !== '' && (isAlone || named.includes(outletId))) found.set(location, outletId)
    else if (outletId === '' && named.length === 1) found.set(location, String(named[0]))
    else if (isAlone) found.set(location, await target.defaultOutlet())
    else open.push(location)
  }
  // An import for one outlet needs no outlets for the other locations.
  const isFound = outletId !== '' && [...found.values()].includes(outletId)
  refuseShared(found, outlets)
  return { outletOf: (location) => found.get(location), outletIds: [...found.values()], open: isFound ? [] : open }
}

/** Why the stock of locations is not imported. */
export const withoutOutlet = (locations: readonly string[]): string =>
  `no outlet, or more than one, is called ${locations.map((location) => `"${location}"`).join(' or ')}, so this stock is not imported; give an outlet the name or alias of the location, or choose its outlet`

const quoted = (locations: readonly string[]): string => locations.map((location) => `"${location}"`).join(', ')

interface NamedOutlet {
  readonly id: string
  readonly name: string
  /** Its name and its alias, as headings are compared. */
  readonly names: readonly string[]
}

async function outletsOf({ database, scope }: StockTarget): Promise<NamedOutlet[]> {
  const rows = await database.query(
    `select id, body ->> 'name', coalesce(body ->> 'alias', '') from outlets where company_id = $1`,
    [scope.companyId],
  )
  return rows.map(([id, name, alias]) => ({ id, name, names: [name, alias].map(normalHeading).filter(Boolean) }))
}

function existing(outletId: string, location: string, outlets: readonly NamedOutlet[]): NamedOutlet {
  const outlet = outlets.find(({ id }) => id === outletId)
  if (outlet !== undefined) return outlet
  throw new OperatorError(`The outlet of the location "${location}" no longer exists. Choose another one.`)
}

/** Refuses two locations with one outlet, whose level could only have one of two numbers. */
function refuseShared(found: ReadonlyMap<string, string>, outlets: readonly NamedOutlet[]): void {
  for (const [outletId, locations] of Map.groupBy(found.keys(), (location) => found.get(location)))
    if (locations.length > 1)
      throw new OperatorError(
        `The locations ${quoted(locations)} have the same outlet, "${outlets.find(({ id }) => id === outletId)?.name}". Choose another outlet for one of them.`,
      )
}
