// Carries a change of many records out, slice by slice, and collects the records that failed.
import { mapConcurrently } from '../../../api/map-concurrently.ts'
import { asProblem, type ItemProblem, itemMessage } from '../../../api/problem.ts'
import { type ListQuery, type Page, type RecordData, restoreRecord } from '../../../api/records.ts'
import { type CompanyScope, get, newIdempotencyKey } from '../../../api/request.ts'
import { retried } from '../../../api/retries.ts'
import { readVersions } from '../../../api/versions.ts'
import { text } from '../../../texts/many.ts'

/** Items per request: enough for thousands, and progress still shows. */
const sliceItems = 200

/** What is being done with the records. */
export type Phase = 'reading' | 'changing' | 'deleting' | 'restoring'

export interface Outcome {
  /** What was done. */
  readonly phase: Phase
  /** The records as they were before, of those that changed. */
  readonly done: readonly RecordData[]
  readonly failed: readonly { readonly record: RecordData; readonly message: string }[]
  /** Why it ended before all records were tried. */
  readonly stopped?: string
}

type Progress = (phase: Phase, done: number, all: number) => void
type Item = Readonly<Record<string, unknown>> & { readonly id: string }

interface Result {
  readonly status: 'success' | 'error'
  readonly error?: ItemProblem
}

/** All records that a list finds. */
export async function readMatching(scope: CompanyScope, many: string, query: ListQuery, progress: Progress) {
  const found: RecordData[] = []
  let cursor: string | undefined
  let all = 0
  do {
    const asked = { ...query, limit: 1000, cursor }
    const page: Page = await retried(() => get<Page>(scope, `/v1/${many}`, { query: asked }))
    found.push(...page.data)
    cursor = page.meta.nextCursor
    all = Math.max(all, page.meta.count ?? 0, found.length)
    progress('reading', found.length, all)
  } while (cursor !== undefined)
  return found
}

/** What is sent for a record, and the record as it was before. */
interface Step {
  readonly item: Item
  readonly before: RecordData
}

/** The steps of one slice, without records that need not change. */
type Slice = (records: readonly RecordData[]) => Promise<readonly Step[]>

async function carry(
  scope: CompanyScope,
  { many, method, records, progress }: Carried,
  slice: Slice,
): Promise<Outcome> {
  const done: RecordData[] = []
  const failed: Outcome['failed'][number][] = []
  const phase = method === 'PATCH' ? 'changing' : 'deleting'
  progress(phase, 0, records.length)
  for (let at = 0; at < records.length; at += sliceItems) {
    try {
      const steps = await retried(() => slice(records.slice(at, at + sliceItems)))
      const items = steps.map(({ item }) => item)
      const results = items.length === 0 ? [] : await send(scope, many, method, items)
      for (const [index, { before }] of steps.entries()) {
        const { status, error } = results[index] ?? { status: 'error' }
        if (status === 'success') done.push(before)
        else failed.push({ record: before, message: error ? itemMessage(error) : text.gone })
      }
    } catch (error) {
      return { phase, done, failed, stopped: asProblem(error).message }
    }
    progress(phase, Math.min(records.length, at + sliceItems), records.length)
  }
  return { phase, done, failed }
}

async function send(scope: CompanyScope, many: string, method: 'PATCH' | 'DELETE', items: readonly Item[]) {
  const headers = { 'idempotency-key': newIdempotencyKey() }
  const asked = { method, body: { items }, headers }
  const { results } = await retried(() => get<{ readonly results: readonly Result[] }>(scope, `/v1/${many}`, asked))
  return results
}

/** Which records are changed. */
export interface Target {
  readonly one: string
  readonly many: string
  readonly records: readonly RecordData[]
  readonly progress: Progress
}

interface Carried extends Target {
  readonly method: 'PATCH' | 'DELETE'
}

/**
 * Changes a member of each record under the version that was just read, so that nothing of another user is lost, and undo leads
 * back to what was there. `next` returns undefined to remove the value.
 */
export const changeMember = (
  scope: CompanyScope,
  target: Target,
  member: string,
  next: (value: unknown, record: RecordData) => unknown,
): Promise<Outcome> =>
  carry(scope, { ...target, method: 'PATCH' }, async (records) => {
    const versions = await readVersions(
      scope,
      target.many,
      records.map(({ id }) => id),
    )
    return records.flatMap((shown): readonly Step[] => {
      const { id } = shown
      const version = versions.get(id)
      // The server says that it no longer exists.
      if (version === undefined) return [{ item: { id }, before: shown }]
      const { record: before, etag } = version
      const value = next(before[member], before)
      if (JSON.stringify(value) === JSON.stringify(before[member])) return []
      return [{ item: { id, [member]: value ?? null, ifMatch: etag }, before }]
    })
  })

export const removeMany = (scope: CompanyScope, target: Target): Promise<Outcome> =>
  carry(scope, { ...target, method: 'DELETE' }, async (records) =>
    records.map((before) => ({ item: { id: before.id }, before })),
  )

/** Restores deleted records. */
export async function restoreMany(scope: CompanyScope, { one, records, progress }: Target): Promise<Outcome> {
  const done: RecordData[] = []
  const failed: Outcome['failed'][number][] = []
  progress('restoring', 0, records.length)
  await mapConcurrently(records, async (record) => {
    await retried(() => restoreRecord(scope, one, record.id)).then(
      () => done.push(record),
      (error) => failed.push({ record, message: asProblem(error).message }),
    )
    progress('restoring', done.length + failed.length, records.length)
  })
  return { phase: 'restoring', done, failed }
}
