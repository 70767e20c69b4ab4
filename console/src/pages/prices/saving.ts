// Saves prices in slices, each variant under the version in which its prices were as they were when they were typed.

import { itemMessage } from '../../api/problem.ts'
import type { Versioned } from '../../api/records.ts'
import { type CompanyScope, get, newIdempotencyKey } from '../../api/request.ts'
import type { Variant, VariantBulkResult } from '../../api/schemas.ts'
import { readVersions } from '../../api/versions.ts'
import { type Edit, keyOf } from '../../parts/sheet/edits.ts'
import type { Entries } from '../../parts/sheet/saving-state.ts'
import { text } from '../../texts/prices.ts'
import { sentAs, valueIn } from './columns.ts'

interface Settled {
  readonly entries: Entries
  /** The variants as they are now. */
  readonly variants: readonly Variant[]
}

/** Variants per request: small enough that progress shows, and that little can change between read and write. */
const sliceVariants = 100

export async function savePrices(scope: CompanyScope, edits: readonly Edit[], settle: (part: Settled) => void) {
  const groups = [...Map.groupBy(edits, ({ variantId }) => variantId).values()]
  let refused = 0
  for (let at = 0; at < groups.length; at += sliceVariants) {
    const part = await saveSlice(scope, groups.slice(at, at + sliceVariants))
    refused += part.entries.filter(([, , left]) => left !== undefined).length
    settle(part)
  }
  return { saved: edits.length - refused, refused }
}

type Read = Versioned<Variant> | undefined

const isChanged = ({ headId, expected, value }: Edit, record: Variant): boolean =>
  valueIn(record, headId) !== expected && valueIn(record, headId) !== value

async function saveSlice(scope: CompanyScope, groups: readonly Edit[][], isFirst = true): Promise<Settled> {
  const versions = await readVersions<Variant>(
    scope,
    'variants',
    groups.flatMap(([edit]) => edit?.variantId ?? []),
  )
  const versionOf = (edits: readonly Edit[]) => versions.get(edits[0]?.variantId ?? '')
  const isFree = (edits: readonly Edit[]) => {
    const version = versionOf(edits)
    return version !== undefined && !edits.some((edit) => isChanged(edit, version.record))
  }
  const free = groups.filter(isFree)
  const results = free.length === 0 ? [] : await send(scope, free, versions)
  // The version also changes with a sale in between, which is no reason to refuse a price: these are tried once more.
  const late = isFirst ? free.filter((_, index) => errorOf(results[index])?.statusCode === 412) : []
  const again = late.length > 0 ? await saveSlice(scope, late, false) : { entries: [], variants: [] }
  const variants = new Map<string, Variant>()
  const entries = groups.flatMap((edits): Entries => {
    if (late.includes(edits)) return []
    const version = versionOf(edits)
    if (version !== undefined) variants.set(version.record.id, version.record)
    const result = results[free.indexOf(edits)]
    if (result?.status === 'success') variants.set(result.data.id, result.data)
    return edits.map((edit) => [keyOf(edit), edit, leftOf(edit, version, result)] as const)
  })
  return { entries: [...entries, ...again.entries], variants: [...variants.values(), ...again.variants] }
}

type Result = VariantBulkResult['results'][number]

const errorOf = (result: Result | undefined) => (result?.status === 'error' ? result.error : undefined)

/** What is left of an edit; undefined if it is saved. Without a refusal it is a conflict, which the cell shows. */
function leftOf(edit: Edit, version: Read, result: Result | undefined): Edit | undefined {
  if (result?.status === 'success') return undefined
  const { refusal: _, ...rest } = edit
  if (version === undefined) return { ...rest, refusal: text.gone }
  if (isChanged(edit, version.record)) return rest
  const error = errorOf(result)
  // Another price of the variant has changed; this one waits for that decision.
  if (error === undefined) return edit
  return { ...rest, refusal: itemMessage(error) }
}

async function send(
  scope: CompanyScope,
  groups: readonly Edit[][],
  versions: ReadonlyMap<string, Read>,
): Promise<readonly Result[]> {
  const items = groups.map((edits) => {
    const id = edits[0]?.variantId ?? ''
    const prices = edits.map(({ headId, value }) => [headId, sentAs(headId, value)])
    return { id, ifMatch: versions.get(id)?.etag, ...Object.fromEntries(prices) }
  })
  const { results } = await get<VariantBulkResult>(scope, '/v1/variants', {
    method: 'PATCH',
    body: { items },
    headers: { 'idempotency-key': newIdempotencyKey() },
  })
  return results
}
