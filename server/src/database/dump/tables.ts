// The order of tables in a dump: foreign keys allow a row only after the row that it refers to.

/** A table, its columns, and the tables that its foreign keys refer to. */
export type TableWithKeys = readonly [name: string, columns: readonly string[], refersTo: readonly string[]]

/** Sorts tables so that each comes after those that it refers to. Throws if they refer to each other in a circle. */
export function inOrder(tables: readonly TableWithKeys[]): TableWithKeys[] {
  const sorted: TableWithKeys[] = []
  const placed = new Set<string>()
  let left = tables
  while (left.length > 0) {
    const next = left.filter(([name, , refersTo]) => refersTo.every((other) => other === name || placed.has(other)))
    if (next.length === 0) throw new Error(`Foreign keys form a circle: ${left.map(([name]) => name).join(', ')}.`)
    for (const table of next) placed.add(table[0])
    sorted.push(...next)
    left = left.filter(([name]) => !placed.has(name))
  }
  return sorted
}
