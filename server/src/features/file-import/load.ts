// Loads a file into a company through the same operations as the API; a later run changes only what differs. The caller
// sees to it that no other import of the company runs meanwhile: two at once would create everything twice.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Problem } from '../../core/problem.ts'
import type { RefusedRow } from './csv.ts'
import { type Layout, mappedColumns, noteKey, type RefusedEntry } from './layout.ts'
import type { FileLocation, StockTarget } from './locations.ts'
import { type ImportSummary, type InTransaction, type Observe, RecordWriter, reasonOf, type Watch } from './records.ts'
import type { LookupScope } from './stored.ts'
import { writersOf } from './writers.ts'

/** A kind of file that can be imported: where its members are, and how they become records. */
export interface Format extends Layout<string> {
  readonly load: (loading: Loading) => Promise<void>
}

/** What to load, and its target. */
export interface Load extends StockTarget {
  readonly format: Format
  /** Called with the locations of a file, once it was read. */
  readonly located?: (locations: readonly FileLocation[]) => void
  /** Counts what would be done, within the plan, and writes nothing. */
  readonly dryRun: boolean
  /** Called once with each refused line. */
  readonly refused: (row: RefusedRow) => void
  /** Called with the bytes done and the total. */
  readonly progress?: (done: number, total: number) => void
  /** Stops it before the next batch, by throwing its reason. */
  readonly signal?: AbortSignal
  readonly transact?: InTransaction
  readonly observe?: Observe
  readonly watch?: Watch
  /** False leaves all stock unchanged. */
  readonly setsStock?: boolean
}

/** A file that is being loaded. */
export interface Loading {
  readonly load: Load
  readonly place: LookupScope
  readonly records: RecordWriter
  /** Refuses a line, unless it was refused already. */
  readonly refuse: (row: RefusedRow) => void
  /** The same entries; reports progress as reading `pass` of `passes`, and stops where the load does. */
  readonly followed: <E>(entries: AsyncIterable<E>, pass: number, passes: number) => AsyncGenerator<E>
}

/** A batch: as many entries, and as much text, as one statement carries easily. */
const BATCH_ENTRIES = 500
const BATCH_CHARACTERS = 2_000_000
/** Entries after which it yields to other work, however fast they come. */
const TURN_ENTRIES = 500

/** Throws what reading or writing throws; what was written before stays. */
export async function loadFile(load: Load): Promise<ImportSummary> {
  const { database, scope, format, file, signal } = load
  const place = { database, scope, source: format.source }
  const records = new RecordWriter(place, writersOf(load), load)
  const refusedLines = new Set<number>()

  async function* followed<E>(entries: AsyncIterable<E>, pass: number, passes: number): AsyncGenerator<E> {
    let reported = 0
    let count = 0
    for await (const entry of entries) {
      signal?.throwIfAborted()
      if (++count % TURN_ENTRIES === 0) await nextTurn()
      yield entry
      if (file.bytesRead() === reported) continue
      reported = file.bytesRead()
      load.progress?.((pass - 1) * file.size + reported, passes * file.size)
    }
  }

  function refuse(row: RefusedRow): void {
    if (refusedLines.has(row.line)) return
    refusedLines.add(row.line)
    load.refused(row)
  }

  await format.load({ load, place, records, refuse, followed })
  return { ...records.tally(), rowsRefused: refusedLines.size }
}

/** Writes entries in batches; reads the next batch while one is written. */
export async function inBatches<Entry>(
  entries: AsyncIterable<Entry>,
  write: (batch: Entry[]) => Promise<void>,
): Promise<void> {
  let batch: Entry[] = []
  let characters = 0
  let writing = Promise.resolve()
  const flush = async () => {
    await writing
    writing = write(batch)
    // A failure is reported when it is awaited next.
    writing.catch(() => {})
    batch = []
    characters = 0
  }
  try {
    for await (const entry of entries) {
      batch.push(entry)
      characters += JSON.stringify(entry).length
      if (batch.length === BATCH_ENTRIES || characters > BATCH_CHARACTERS) await flush()
    }
    if (batch.length > 0) await flush()
  } finally {
    await writing
  }
}

/** What is done with the entries of a kind of file. */
interface Handling<Entry> {
  /** Why the API would refuse the entry. */
  readonly objection: (entry: Entry) => Problem | undefined
  /** Refuses an entry's lines; `first` is the refusal of its first one. */
  readonly refuse: (entry: Entry, first: RefusedRow) => void
  /** Writes entries; `metadataKeys` are the keys that columns of the file set. */
  readonly write: (batch: readonly Entry[], metadataKeys: ReadonlySet<string>) => Promise<void>
}

/** Loads the entries of a file of customers or orders: those that the API would accept are written in batches, the others refused. */
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

/** Why the API refuses what a line says, with the column of the first wrong member. */
function refusalIn({ file, format }: Load, line: number, problem: Problem): RefusedRow {
  const member = (problem.errors[0]?.pointer ?? '').slice(1).replaceAll('/', '.')
  const column = mappedColumns(file, format).find(({ as }) => as === member)?.column
  return { line, reason: reasonOf(problem), ...(column !== undefined && { column }) }
}
