// The organization as it appears in public: its name, its logo, and its alias on public pages.

import { later } from '../../core/date-time.ts'
import { type Condition, requireMatch } from '../../core/etag.ts'
import type { Claim } from '../../core/idempotency-claim.ts'
import { slugPattern } from '../../core/json-schema.ts'
import { conflictAt, orThrow, type Problem } from '../../core/problem.ts'
import { type Database, isUniqueFault, type Queryable, requireRow } from '../../database/connect.ts'
import { currency, required, visibleName, webUrl } from '../../engine/field.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { JsonObject } from '../../engine/record.ts'
import { resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { writing } from '../../engine/writing.ts'
import { type Answer, ok } from '../../http/route.ts'
import { changePublished, orderOf } from './writes.ts'

/** Characters of an organization's alias: a label of a host name has no more. */
export const ALIAS_CHARACTERS = 63

/** Extensions that one statement reorders when their organization is renamed: a tenth of a second. */
export const EXTENSIONS_REORDERED = 1_000

/** The record of an organization. */
export const organization = resource(
  {
    name: { one: 'organization', many: 'organizations' },
    title: 'Organization',
    description: 'The organization that onboards companies, as its key and the readers of its extensions see it.',
    fields: {
      name: required(visibleName({ description: 'What companies and readers of extensions call the organization.' })),
      alias: required({
        ...visibleName(),
        schema: {
          type: 'string',
          pattern: slugPattern,
          maxLength: ALIAS_CHARACTERS,
          examples: ['acme-coffee'],
          description: 'Made from the name; lower-case letters, digits and single hyphens. Unique among organizations.',
        },
      }),
      logo: webUrl({ description: 'An absolute http or https URL: it is shown on public pages.' }),
      defaultCurrency: currency({
        description: 'The currency of new companies that do not set one. USD if unset.',
      }),
    },
    remove: 'hard',
    list: {},
    styleA: null,
    styleB: null,
    example: {
      name: 'Acme Payments',
      alias: 'acme-payments',
      logo: 'https://example.com/acme.png',
      defaultCurrency: 'EUR',
    },
  },
  { showsCompany: false },
)

const { shown } = writing(organization)
const schema = bodySchema(organization)

/** The text of an organization's record. Throws `not_found`. */
export async function readOrganization(
  database: Queryable,
  id: string,
  lock: '' | 'for no key update' = '',
): Promise<string> {
  const row = await requireRow(
    database,
    'organization',
    id,
    `select name, coalesce(alias, id), logo, default_currency, iso_time(created_at), iso_time(updated_at) from organizations where id = $1 ${lock}`,
  )
  const [name, alias, logo, defaultCurrency, createdAt, updatedAt] = row.map((value) => value ?? undefined)
  return shown({ id, name, alias, logo, defaultCurrency, createdAt, updatedAt })
}

/** The operations on an organization's record. */
interface OrganizationChange {
  readonly id: string
  readonly value: unknown
  readonly ifMatch?: Condition | undefined
  readonly claim?: Claim | undefined
}

/**
 * Changes an organization's record, and what the published list shows of it. Throws 400, 404 `not_found`, 409
 * `conflict` if another one has the alias, 412 `version_mismatch`.
 */
export async function changeOrganization(
  database: Database,
  { id, value, ifMatch, claim }: OrganizationChange,
): Promise<Answer> {
  const { set, clear } = orThrow(schema.update(value))
  return transacted(database, claim, async (transaction) => {
    const before = await readOrganization(transaction, id, 'for no key update')
    requireMatch(ifMatch, before)
    const record: JsonObject = { ...JSON.parse(before), ...set }
    for (const member of clear) delete record[member]
    if (shown(record) === before) return ok(before)
    record.updatedAt = later(new Date().toISOString(), String(record.updatedAt))
    await transaction
      .query(
        'update organizations set name = $2, alias = $3, logo = $4, updated_at = $5, default_currency = $6 where id = $1',
        [id, record.name, record.alias, record.logo ?? null, record.updatedAt, record.defaultCurrency ?? null],
      )
      .catch((error) => {
        throw isUniqueFault(error) ? taken(String(record.alias)) : error
      })
    if (set.name !== undefined) await reorder(transaction, id)
    const [published] = await transaction.query(
      `select 1 from extensions where organization_id = $1 and status = 'public' limit 1`,
      [id],
    )
    if (published) await changePublished(transaction)
    return ok(shown(record))
  })
}

const taken = (alias: string): Problem =>
  conflictAt('/alias', 'taken', 'alias_taken', `Another organization already has the alias ${JSON.stringify(alias)}.`)

/**
 * Moves its extensions to their place by its new name, in short statements. A concurrent create waits for the
 * organization's row.
 */
async function reorder(transaction: Queryable, id: string): Promise<void> {
  for (let last: string | null = ''; last !== null; ) {
    const [row] = await transaction.query(
      `with own as materialized (
         select id from extensions where organization_id = $1 and id > $2 order by id limit $3
       ), moved as (
         update extensions as stored set organization_order = ${orderOf('organization.name')}
         from own, organizations as organization
         where stored.organization_id = $1 and stored.id = own.id and organization.id = $1
           and stored.organization_order is distinct from ${orderOf('organization.name')}
       )
       select max(id) from own`,
      [id, last, EXTENSIONS_REORDERED],
    )
    last = row?.[0]
  }
}
