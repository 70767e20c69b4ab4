// Saves the rows of the variants grid: changes under the version that was read, and new variants once.

import { mapConcurrently } from '../../api/map-concurrently.ts'
import { asProblem, messagesByPointer } from '../../api/problem.ts'
import { readRecord, requestVersioned, type Versioned } from '../../api/records.ts'
import type { CompanyScope } from '../../api/request.ts'
import type { Variant } from '../../api/schemas.ts'
import { readVersions } from '../../api/versions.ts'
import { differing } from '../../parts/draft.ts'
import { text } from '../../texts/catalog.ts'
import { changedIn, type Row } from './variant-rows.ts'

/** What became of a row. */
interface Outcome {
  /** The variant as it is now; undefined if there is none. */
  readonly variant: Variant | undefined
  /** Messages by pointer within the variant; empty if it is saved. */
  readonly refused: ReadonlyMap<string, string>
}
export type Outcomes = ReadonlyMap<string, Outcome>

/** Saves rows of a product. Each is saved or refused alone. */
export async function saveRows(scope: CompanyScope, productId: string, rows: readonly Row[]): Promise<Outcomes> {
  const stored = rows.filter(({ variant }) => variant !== undefined)
  const versions = await readVersions<Variant>(
    scope,
    'variants',
    stored.map(({ key }) => key),
  ).catch(() => new Map<string, Versioned<Variant>>())
  const outcomes = await mapConcurrently(rows, (row) =>
    row.variant === undefined ? create(scope, productId, row) : change(scope, row, versions.get(row.key)),
  )
  return new Map(rows.map((row, n) => [row.key, outcomes[n] as Outcome]))
}

const saved = (variant: Variant): Outcome => ({ variant, refused: new Map() })

function refusal(error: unknown, variant: Variant | undefined): Outcome {
  const problem = asProblem(error)
  const messages = messagesByPointer(problem)
  return { variant, refused: messages.size > 0 ? messages : new Map([['', problem.message]]) }
}

/** The key of the row makes one variant of it, also if its first response was lost. */
async function create(scope: CompanyScope, productId: string, { key, values }: Row): Promise<Outcome> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  try {
    const { record } = await requestVersioned<Variant>(scope, '/v1/variant', {
      method: 'POST',
      body: { ...Object.fromEntries(set), productId },
      headers: { 'idempotency-key': key },
    })
    return saved(record)
  } catch (error) {
    return refusal(error, undefined)
  }
}

/** Without a version, the variant is read first, which also says whether it is gone. */
async function change(scope: CompanyScope, row: Row, version?: Versioned<Variant>): Promise<Outcome> {
  let current = row.variant
  try {
    const { record, etag } = version ?? (await readRecord<Variant>(scope, 'variant', row.key))
    current = record
    const refused = clashes(row, record)
    if (refused.size > 0) return { variant: record, refused }
    const members = changedIn(row).map((member) => [member, row.values[member] ?? null])
    const { record: now } = await requestVersioned<Variant>(scope, `/v1/variant/${row.key}`, {
      method: 'PATCH',
      body: Object.fromEntries(members),
      headers: { 'if-match': etag },
    })
    return saved(now)
  } catch (error) {
    // The version also changes with a sale in between, which changes nothing that was typed: it is tried once more.
    if (version !== undefined && asProblem(error).status === 412) return change(scope, row)
    return refusal(error, current)
  }
}

/** Members that another user has changed since, to something else than was typed here. */
function clashes(row: Row, current: Variant): ReadonlyMap<string, string> {
  const now: Readonly<Record<string, unknown>> = { ...current }
  const members = differing(differing(changedIn(row), row.base, now), row.values, now)
  return new Map(members.map((member) => [`/${member}`, text.changedSince(shown(now[member]))]))
}

const shown = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '–'
  return Array.isArray(value) ? value.map((one) => one.value ?? '').join(' / ') : String(value)
}
