// Writes the extensions of organizations: each in one transaction with the version of the published list and the claim
// of its idempotency key.

import { later } from '../../core/date-time.ts'
import { type Condition, requireMatch } from '../../core/etag.ts'
import type { Claim } from '../../core/idempotency-claim.ts'
import { newId } from '../../core/ids.ts'
import { notFound, orThrow, Problem } from '../../core/problem.ts'
import { isSameJson } from '../../core/same-json.ts'
import { type Database, type Queryable, requireRow } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { Change, JsonObject } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { writing } from '../../engine/writing.ts'
import { type Answer, ok } from '../../http/route.ts'
import { extension } from './extension.ts'

/** Characters of an extension's text: a description of 100 KB, twice, and all else; public lists hold thousands of them. */
const EXTENSION_CHARACTERS = 256 * 1024
/** Characters of names by which the published list is ordered; migrations use the same number. */
const ORDERED_CHARACTERS = 250

interface ExtensionItem {
  readonly organizationId: string
  /** Absent for a create. */
  readonly id?: string | undefined
  readonly value?: unknown
  readonly ifMatch?: Condition | undefined
  readonly claim?: Claim | undefined
}

/** The writes. All throw the problem: 400, 404 `not_found`, 409 of a claim, 412 `version_mismatch`, 413. */
interface ExtensionWrites {
  create(item: ExtensionItem): Promise<Answer>
  update(item: ExtensionItem): Promise<Answer>
  remove(item: ExtensionItem): Promise<void>
}

/** How names are compared: case-insensitive, and only the beginning of a long one. SQL of the key. */
export const orderOf = (name: string): string => `left(upper(${name} collate "und-x-icu"), ${ORDERED_CHARACTERS})`

/**
 * Gives the published list a new version, in the transaction of the change. From here on concurrent changes wait for
 * each other, so it must be called last. The version is globally unique, so a restored database never returns to the
 * version of another list.
 */
export async function changePublished(transaction: Queryable): Promise<void> {
  await transaction.query('update published_list set state = $1', [newId()])
}

/** Makes the writes. */
export function extensionWrites(database: Database): ExtensionWrites {
  const schema = bodySchema(extension)
  const { shown } = writing(extension)

  function text(record: JsonObject): string {
    const made = shown(record)
    if (made.length > EXTENSION_CHARACTERS)
      throw new Problem('payload_too_large', `The extension would be longer than ${EXTENSION_CHARACTERS} characters.`)
    return made
  }

  return {
    async create({ organizationId, value, claim }) {
      const { set } = orThrow(schema.create(value))
      const now = new Date().toISOString()
      const record: JsonObject = { status: 'draft', ...set, id: newId(), createdAt: now, updatedAt: now }
      const body = text(record)
      return transacted(database, claim, async (transaction) => {
        // Renaming the organization and this wait for each other, so that the ordering uses its current name.
        const made = await transaction.query(
          `with own as materialized (
               select id, ${orderOf('name')} as organization_order from organizations where id = $1 for share
             )
             insert into extensions (organization_id, id, body, organization_order)
             select id, $2, $3, organization_order from own returning 1`,
          [organizationId, record.id, body],
        )
        if (made.length === 0) throw notFound('organization', organizationId)
        if (isPublic(record)) await changePublished(transaction)
        return { status: 201, body }
      })
    },

    async update({ organizationId, id = '', value, ifMatch, claim }) {
      const change = orThrow(schema.update(value))
      return transacted(database, claim, async (transaction) => {
        const before = await held(transaction, organizationId, id)
        requireMatch(ifMatch, before)
        const record = JSON.parse(before)
        const isShown = isPublic(record)
        merge(record, change)
        if (isSameJson(JSON.parse(shown(record)), JSON.parse(before))) return ok(before)
        const body = text({ ...record, updatedAt: later(new Date().toISOString(), record.updatedAt) })
        await transaction.query('update extensions set body = $3 where organization_id = $1 and id = $2', [
          organizationId,
          id,
          body,
        ])
        if (isShown || isPublic(record)) await changePublished(transaction)
        return { status: 200, body }
      })
    },

    remove: async ({ organizationId, id = '', ifMatch }) =>
      retriedTransaction(database, async (transaction) => {
        const before = await held(transaction, organizationId, id)
        requireMatch(ifMatch, before)
        await transaction.query('delete from extensions where organization_id = $1 and id = $2', [organizationId, id])
        if (isPublic(JSON.parse(before))) await changePublished(transaction)
      }),
  }
}

/** The text of an extension, whose row is locked until the transaction ends. Throws `not_found`. */
async function held(transaction: Queryable, organizationId: string, id: string): Promise<string> {
  const statement = 'select body from extensions where organization_id = $1 and id = $2 for update'
  return (await requireRow(transaction, 'extension', id, statement, [organizationId, id]))[0]
}

function merge(record: JsonObject, { set, clear }: Change): void {
  Object.assign(record, set)
  for (const member of clear) delete record[member]
  record.status ??= 'draft'
}

const isPublic = ({ status }: JsonObject): boolean => status === 'public'
