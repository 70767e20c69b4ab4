// Entries of sums in columns: what sales add up to by some keys, and the way to add them up by fewer.
import { type Decimals, GroupTotals, picked } from './decimals.ts'

/** The texts of a key, each as its place among the different ones. */
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

/**
 * The entries with a key made from another one, a row for each value that its text makes. As some entries at a time, of at
 * most `most` rows: a few texts may make many values.
 */
export function* multiplied(
  entries: Entries,
  { from, name, most }: { readonly from: string; readonly name: string; readonly most: number },
  valuesOf: (text: string) => readonly string[],
): Generator<Entries> {
  const column = entries.keys[from] as Texts
  const made = column.values.map(valuesOf)
  let [rows, texts]: [number[], string[]] = [[], []]
  for (let n = 0; n < entries.length; n++) {
    for (const value of made[column.places[n] as number] as readonly string[]) {
      rows.push(n)
      texts.push(value)
    }
    if (rows.length < most && n < entries.length - 1) continue
    yield rowsOf(entries, rows, { [name]: textsOf(texts) })
    rows = []
    texts = []
  }
}

/** Some rows of entries, with further keys. */
function rowsOf({ keys, sums }: Entries, rows: readonly number[], more: Entries['keys']): Entries {
  const each = <T>(columns: Readonly<Record<string, T>>, make: (column: T) => T) =>
    Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, make(column)]))
  const own = each(keys, ({ values, places }) => ({
    values,
    places: Uint32Array.from(rows, (row) => places[row] as number),
  }))
  return { length: rows.length, keys: { ...own, ...more }, sums: each(sums, (column) => picked(column, rows)) }
}

/** The entries with their currency; those without one are in the company's own, '' if it has none. */
export const inCurrencies = (entries: Entries, own = ''): Entries =>
  derived(entries, 'currency', 'currency', (text) => (text === '' ? own : text))

/** A node is found by its parent's number times this, plus the place of its value; no key has as many values. */
const NODE_RADIX = 2 ** 24

/** One level of the tree of groups: a node for each parent and value of its key. */
class Level {
  readonly #places = new Map<string, number>()
  readonly #nodes = new Map<number, number>()
  readonly values: string[] = []
  readonly parents: number[] = []
  readonly ownPlaces: number[] = []

  place(value: string): number {
    const known = this.#places.get(value)
    if (known !== undefined) return known
    const place = this.values.push(value) - 1
    this.#places.set(value, place)
    return place
  }

  /** The node of a parent and a value; undefined if there is none. */
  find(parent: number, value: string): number | undefined {
    const place = this.#places.get(value)
    return place === undefined ? undefined : this.#nodes.get(parent * NODE_RADIX + place)
  }

  node(parent: number, place: number): number {
    const key = parent * NODE_RADIX + place
    const known = this.#nodes.get(key)
    if (known !== undefined) return known
    const node = this.parents.push(parent) - 1
    this.ownPlaces.push(place)
    this.#nodes.set(key, node)
    return node
  }
}

/** Adds entries up by some of their keys. A group is a path through a tree with a level for each key: numbers are found faster than texts. */
export class Groups {
  readonly #names: readonly string[]
  readonly #levels: readonly Level[]
  readonly #totals = new Map<string, GroupTotals>()

  /** Groups by at least one key. */
  constructor(names: readonly string[]) {
    this.#names = names
    this.#levels = names.map(() => new Level())
  }

  get size(): number {
    return this.#levels.at(-1)?.parents.length ?? 0
  }

  /** The values of a group's keys, in the order of their names. */
  valuesAt(group: number): readonly string[] {
    let node = group
    return this.#levels
      .toReversed()
      .map(({ values, ownPlaces, parents }) => {
        const value = values[ownPlaces[node] as number] as string
        node = parents[node] as number
        return value
      })
      .reverse()
  }

  /** The value of a group's last key. */
  lastValueAt(group: number): string {
    const level = this.#levels.at(-1) as Level
    return level.values[level.ownPlaces[group] as number] as string
  }

  /** The group with these values; -1, whose sums are zero, if there is none. */
  find(...values: readonly string[]): number {
    let node = 0
    for (const [depth, level] of this.#levels.entries()) node = level.find(node, values[depth] ?? '') ?? -1
    return node
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
