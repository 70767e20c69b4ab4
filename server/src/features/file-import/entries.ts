// Loads the entries of a file of customers or orders: those that the API would accept are written in batches, the others refused.

import type { Problem } from '../../core/problem.ts'
import { noteKey, type RefusedEntry } from './columns.ts'
import type { RefusedRow } from './csv.ts'
import { inBatches, type Loading } from './load.ts'
import { refusalIn } from './table.ts'

/** What is done with the entries of a kind of file. */
interface Handling<Entry> {
  /** Why the API would refuse the entry. */
  readonly objection: (entry: Entry) => Problem | undefined
  /** Refuses an entry's lines; `first` is the refusal of its first one. */
  readonly refuse: (entry: Entry, first: RefusedRow) => void
  /** Writes entries; `metadataKeys` are the keys that columns of the file set. */
  readonly write: (batch: readonly Entry[], metadataKeys: ReadonlySet<string>) => Promise<void>
}

/** Loads the entries that were read from a file. */
export async function loadEntries<Entry extends { readonly line: number }>(
  { load, refuse, followed }: Loading,
  entries: AsyncIterable<Entry | RefusedEntry>,
  handling: Handling<Entry>,
): Promise<void> {
  const metadataKeys = new Set(load.file.headings.map(noteKey))
  async function* accepted() {
    for await (const entry of followed(entries, 1, 1)) {
      if (isRefused(entry)) {
        refuse(entry)
        continue
      }
      const wrong = handling.objection(entry)
      if (wrong === undefined) yield entry
      else handling.refuse(entry, refusalIn(load, entry.line, wrong))
    }
  }
  await inBatches(accepted(), (batch) => handling.write(batch, metadataKeys))
}

const isRefused = (entry: object): entry is RefusedEntry => 'kind' in entry && entry.kind === 'refused'
