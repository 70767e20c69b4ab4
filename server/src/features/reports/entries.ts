// Entries of sums in columns: what sales add up to by some keys, and the way to add them up by fewer.
import { type Decimals, picked, Totals } from './decimals.ts'

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

/** A column with the same text in all rows. */
export const sameText = (text: string, length: number): Texts => ({ values: [text], places: new Uint32Array(length) })

/** The entries with a key made from another one; a row whose text makes several values is there for each of them. */
export function derived(
  entries: Entries,
  from: string,
  name: string,
  valuesOf: (text: string) => readonly string[],
): Entries {
  const { values, places } = entries.keys[from] as Texts
  const made = values.map(valuesOf)
  if (made.every(({ length }) => length === 1)) {
    const known = textsOf(made.map(([value]) => value as string))
    const own = places.map((place) => known.places[place] as number)
    return { ...entries, keys: { ...entries.keys, [name]: { values: known.values, places: own } } }
  }
  const rows: number[] = []
  const texts: string[] = []
  for (let n = 0; n < entries.length; n++)
    for (const value of made[places[n] as number] as readonly string[]) {
      rows.push(n)
      texts.push(value)
    }
  const each = <T>(columns: Readonly<Record<string, T>>, make: (column: T) => T) =>
    Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, make(column)]))
  const keys = each(entries.keys, ({ values, places }) => ({
    values,
    places: Uint32Array.from(rows, (row) => places[row] as number),
  }))
  return {
    length: rows.length,
    keys: { ...keys, [name]: textsOf(texts) },
    sums: each(entries.sums, (column) => picked(column, rows)),
  }
}

/** Adds entries up by some of their keys. */
export class Groups {
  readonly #names: readonly string[]
  readonly #places = new Map<string, number>()
  readonly #values: string[][] = []
  readonly #totals = new Map<string, Totals>()

  constructor(names: readonly string[]) {
    this.#names = names
  }

  get size(): number {
    return this.#values.length
  }

  /** The values of a group's keys, in the order of their names. */
  valuesAt(group: number): readonly string[] {
    return this.#values[group] as readonly string[]
  }

  /** The totals of a sum; empty if no entries had it. */
  total(name: string): Decimals {
    return this.#totals.get(name) ?? new Totals()
  }

  /** Adds the entries; their sums are named with a prefix. */
  add(entries: Entries, prefix = ''): void {
    const columns = this.#names.map((name) => entries.keys[name] as Texts)
    const places = new Uint32Array(entries.length)
    for (let n = 0; n < entries.length; n++) {
      let key = ''
      // No text of PostgreSQL has this character.
      for (const { values, places } of columns) key += `${values[places[n] as number]}\0`
      let place = this.#places.get(key)
      if (place === undefined) {
        place = this.#values.push(columns.map(({ values, places }) => values[places[n] as number] as string)) - 1
        this.#places.set(key, place)
      }
      places[n] = place
    }
    for (const [name, column] of Object.entries(entries.sums)) {
      const totals = this.#totals.get(prefix + name) ?? new Totals()
      this.#totals.set(prefix + name, totals)
      totals.add(column, places, this.size)
    }
  }
}
