// Entries of sums in columns: sums of sales by some keys, and how to add them up by fewer keys.
import { add, type Decimal, decimalOfJson, jsonOf } from '../../sold-items/decimals.ts'

/** The texts of a key, each as an index into the list of different texts. */
export interface Texts {
  readonly values: readonly string[]
  readonly places: readonly number[]
}

/** Rows of keys and sums, in columns by their names. */
export interface Entries {
  readonly length: number
  readonly keys: Readonly<Record<string, Texts>>
  readonly sums: Readonly<Record<string, readonly Decimal[]>>
}

/** Columns made from others of the same names. */
const mapped = <T, R>(columns: Readonly<Record<string, T>>, make: (column: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, make(column)]))

/** Entries as a text of JSON, in which they are stored, and back. */
export const textOfEntries = ({ sums, ...entries }: Entries): string =>
  JSON.stringify({ ...entries, sums: mapped(sums, (column) => column.map(jsonOf)) })
export function entriesOfText(text: string): Entries {
  const { sums, ...entries } = JSON.parse(text)
  return { ...entries, sums: mapped<(number | string)[], Decimal[]>(sums, (column) => column.map(decimalOfJson)) }
}

/** The number of a key among different ones, which are counted from 0. */
function numberIn<K>(known: Map<K, number>, key: K): number {
  const number = known.get(key)
  if (number !== undefined) return number
  known.set(key, known.size)
  return known.size - 1
}

/** A column of texts. */
export function textsOf(texts: readonly string[]): Texts {
  const known = new Map<string, number>()
  const places = texts.map((text) => numberIn(known, text))
  return { values: [...known.keys()], places }
}

/** The entries with the label of their part of the period. */
export const labelled = (entries: Entries, label: number): Entries => ({
  ...entries,
  keys: { ...entries.keys, label: { values: [String(label)], places: new Array(entries.length).fill(0) } },
})

/** The entries with a key made from another one, each text making one value. */
export function derived(entries: Entries, from: string, name: string, textFor: (text: string) => string): Entries {
  const { values, places } = entries.keys[from] as Texts
  const made = textsOf(values.map(textFor))
  const own = { values: made.values, places: places.map((place) => made.places[place] as number) }
  return { ...entries, keys: { ...entries.keys, [name]: own } }
}

/** Some rows of entries. */
export function rowsOf({ keys, sums }: Entries, rows: readonly number[]): Entries {
  const picked = <T>(column: readonly T[]) => rows.map((row) => column[row] as T)
  const placesIn = ({ values, places }: Texts) => ({ values, places: picked(places) })
  return { length: rows.length, keys: mapped(keys, placesIn), sums: mapped(sums, picked<Decimal>) }
}

/** The entries with their currency, if that is known; those without one are in the company's own, '' if it has none. */
export const inCurrencies = (entries: Entries, own = ''): Entries =>
  entries.keys.currency ? derived(entries, 'currency', 'currency', (text) => (text === '' ? own : text)) : entries

/** A node is found by its parent's number times this, plus the number of its value; no key has as many values. */
const NODE_RADIX = 2 ** 24

/** One level of the tree of groups: the numbers of its key's values, and those of its nodes. */
interface Level {
  readonly values: Map<string, number>
  readonly nodes: Map<number, number>
}

/** Adds entries up by some of their keys. A group is a path through a tree with a level for each key: numbers are found faster than texts. */
export class Groups {
  readonly #names: readonly string[]
  readonly #levels: readonly Level[]
  /** The values of the keys of each group, in the order of their names. */
  readonly paths: (readonly string[])[] = []
  readonly #totals = new Map<string, Decimal[]>()

  /** Groups by at least one key. */
  constructor(names: readonly string[]) {
    this.#names = names
    this.#levels = names.map(() => ({ values: new Map(), nodes: new Map() }))
  }

  get size(): number {
    return this.paths.length
  }

  /** The group with these values of its keys; -1, whose sums are zero, if there is none. */
  at(...values: readonly string[]): number {
    let node = 0
    for (const [depth, level] of this.#levels.entries())
      node = level.nodes.get(node * NODE_RADIX + (level.values.get(values[depth] ?? '') ?? -1)) ?? -1
    return node
  }

  /** A sum of a group; zero if no entry of it had that. */
  sum(name: string, group: number): Decimal {
    return this.#totals.get(name)?.[group] ?? 0
  }

  /** The groups from one to before another, as entries. */
  entries(first: number, end: number): Entries {
    const paths = this.paths.slice(first, end)
    const keys = this.#names.map((name, n) => [name, textsOf(paths.map((path) => path[n] as string))])
    const sums = Array.from(this.#totals.keys(), (name) => [name, paths.map((_, n) => this.sum(name, first + n))])
    return { length: paths.length, keys: Object.fromEntries(keys), sums: Object.fromEntries(sums) }
  }

  /** The group of each entry. */
  #groupsOf({ length, keys }: Entries): readonly number[] {
    const columns = this.#names.map((name) => keys[name] as Texts)
    let nodes: readonly number[] = new Array(length).fill(0)
    for (const [depth, level] of this.#levels.entries()) {
      const { values, places } = columns[depth] as Texts
      const own = values.map((value) => numberIn(level.values, value))
      const parents = nodes
      nodes = places.map((place, n) =>
        numberIn(level.nodes, (parents[n] as number) * NODE_RADIX + (own[place] as number)),
      )
    }
    for (let n = 0; this.paths.length < (this.#levels.at(-1)?.nodes.size ?? 0); n++)
      this.paths[nodes[n] as number] ??= columns.map(({ values, places }) => values[places[n] as number] as string)
    return nodes
  }

  /** Adds the entries; their sums are named with a prefix. */
  add(entries: Entries, prefix = ''): void {
    if (entries.length === 0) return
    const groups = this.#groupsOf(entries)
    for (const [name, column] of Object.entries(entries.sums)) {
      const totals = this.#totals.get(prefix + name) ?? []
      this.#totals.set(prefix + name, totals)
      while (totals.length < this.size) totals.push(0)
      for (let n = 0; n < groups.length; n++) {
        const group = groups[n] as number
        totals[group] = add(totals[group] as Decimal, column[n] as Decimal)
      }
    }
  }
}
