// Entries of sums in columns: sums of sales by some keys, and how to add them up by fewer keys.
import { type Decimals, GroupTotals, picked } from './decimals.ts'

/** The texts of a key, each as an index into the list of different texts. */
export interface Texts {
  readonly values: readonly string[]
  readonly places: Uint32Array
}

/** Rows of keys and sums, in columns by their names. */
export interface Entries {
  readonly length: number
  readonly keys: Readonly<Record<string, Texts>>
  readonly sums: Readonly<Record<string, Decimals>>
}

/** A column of texts. */
export function textsOf(texts: readonly string[]): Texts {
  const known = new Map<string, number>()
  const places = new Uint32Array(texts.length)
  for (let n = 0; n < texts.length; n++) {
    const text = texts[n] as string
    let place = known.get(text)
    if (place === undefined) {
      place = known.size
      known.set(text, place)
    }
    places[n] = place
  }
  return { values: [...known.keys()], places }
}

/** The entries with the label of their part of the period. */
export const labelled = (entries: Entries, label: number): Entries => ({
  ...entries,
  keys: { ...entries.keys, label: { values: [String(label)], places: new Uint32Array(entries.length) } },
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
  const each = <T>(columns: Readonly<Record<string, T>>, make: (column: T) => T) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, make(column)]))
  const placesIn = ({ values, places }: Texts) => ({
    values,
    places: Uint32Array.from(rows, (row) => places[row] as number),
  })
  return { length: rows.length, keys: each(keys, placesIn), sums: each(sums, (column) => picked(column, rows)) }
}

/** The entries with their currency, if that is known; those without one are in the company's own, '' if it has none. */
export const inCurrencies = (entries: Entries, own = ''): Entries =>
  entries.keys.currency ? derived(entries, 'currency', 'currency', (text) => (text === '' ? own : text)) : entries

/** A node is found by its parent's number times this, plus the place of its value; no key has as many values. */
const NODE_RADIX = 2 ** 24

/** One level of the tree of groups: a node for each parent and value of its key. */
class Level {
  readonly #places = new Map<string, number>()
  readonly #nodes = new Map<number, number>()
  readonly #values: string[] = []
  readonly #above: Level | undefined
  /** The values on the way to each node. */
  readonly paths: (readonly string[])[] = []

  constructor(above: Level | undefined) {
    this.#above = above
  }

  place(value: string): number {
    const known = this.#places.get(value)
    if (known !== undefined) return known
    const place = this.#values.push(value) - 1
    this.#places.set(value, place)
    return place
  }

  node(parent: number, place: number): number {
    const key = parent * NODE_RADIX + place
    const known = this.#nodes.get(key)
    if (known !== undefined) return known
    const node = this.paths.push([...(this.#above?.paths[parent] ?? []), this.#values[place] as string]) - 1
    this.#nodes.set(key, node)
    return node
  }
}

/** Adds entries up by some of their keys. A group is a path through a tree with a level for each key: numbers are found faster than texts. */
export class Groups {
  readonly #names: readonly string[]
  readonly #levels: Level[] = []
  readonly #totals = new Map<string, GroupTotals>()

  /** Groups by at least one key. */
  constructor(names: readonly string[]) {
    this.#names = names
    for (const _ of names) this.#levels.push(new Level(this.#levels.at(-1)))
  }

  get size(): number {
    return this.#levels.at(-1)?.paths.length ?? 0
  }

  /** The values of a group's keys, in the order of their names. */
  valuesAt(group: number): readonly string[] {
    return this.#levels.at(-1)?.paths[group] as readonly string[]
  }

  /** The value of a group's last key. */
  lastValueAt(group: number): string {
    return this.valuesAt(group).at(-1) as string
  }

  /** The groups whose first values are these, by their last value. */
  below(...first: readonly string[]): ReadonlyMap<string, number> {
    const groups = new Map<string, number>()
    for (const [group, path] of this.#levels.at(-1)?.paths.entries() ?? [])
      if (first.every((value, depth) => path[depth] === value)) groups.set(path.at(-1) as string, group)
    return groups
  }

  /** The totals of a sum; empty if no entries had it. */
  total(name: string): Decimals {
    return this.#totals.get(name) ?? new GroupTotals()
  }

  /** The group of each entry. */
  #groupsOf({ length, keys }: Entries): Uint32Array {
    // As long as all entries have the same values, they are at the same node.
    let common = 0
    let nodes: Uint32Array | undefined
    for (const [depth, level] of this.#levels.entries()) {
      const { values, places } = keys[this.#names[depth] as string] as Texts
      const own = values.map((value) => level.place(value))
      if (nodes === undefined && own.length === 1) common = level.node(common, own[0] as number)
      else if (nodes === undefined) {
        // Only for values that occur: a column may have more.
        const next: number[] = []
        nodes = places.map((place) => (next[place] ??= level.node(common, own[place] as number)))
      } else {
        const parents: Uint32Array = nodes
        nodes = places.map((place, n) => level.node(parents[n] as number, own[place] as number))
      }
    }
    return nodes ?? new Uint32Array(length).fill(common)
  }

  /** Adds the entries; their sums are named with a prefix. */
  add(entries: Entries, prefix = ''): void {
    if (entries.length === 0) return
    const groups = this.#groupsOf(entries)
    for (const [name, column] of Object.entries(entries.sums)) {
      const totals = this.#totals.get(prefix + name) ?? new GroupTotals()
      this.#totals.set(prefix + name, totals)
      totals.add(column, groups, this.size)
    }
  }
}
