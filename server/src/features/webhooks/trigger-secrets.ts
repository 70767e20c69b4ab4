// The secrets of triggers on disk: sealed in a column of their own, which no response, event or log ever shows; and all of
// them at once, when the service gets another key or has lost its own.

import type { Seal } from '../../core/idempotency-claim.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { queryByCompany } from '../../database/one-company.ts'
import { retryOnConflict } from '../../engine/bisect-on-error.ts'
import type { ProjectionWrite } from '../../engine/projection.ts'
import type { Reseal } from '../../engine/reseal.ts'
import { maskOf, sentSecret } from '../../resources/trigger-key.ts'

/**
 * How long after the last change calls are also signed with the former secrets: a day, in which receivers can be
 * changed.
 */
const FORMER_SECRETS = '24 hours'
/**
 * Former secrets that are kept meanwhile, the newest first: each signs every call, and adds 48 characters to a header.
 */
const FORMER_SECRETS_MOST = 5
/** Triggers whose secrets one statement seals: some 100 ms. */
const TRIGGERS_SEALED = 500

/** A sealed secret opens only for the trigger that it was sealed for. */
const contextOf = (companyId: string, id: string): string => `automation-trigger ${companyId} ${id}`

/** The column `secret` for a trigger's secret. */
export const sealTriggerSecret = (seal: Seal, companyId: string, id: string, secret: string): string =>
  seal.close(secret, contextOf(companyId, id))

/**
 * The secret of a trigger. Throws if it was sealed with a key that the service no longer has, or for another trigger.
 */
export const openTriggerSecret = (seal: Seal, companyId: string, id: string, sealed: string): string =>
  seal.open(sealed, contextOf(companyId, id))

/** The secrets in the column `former_secret`, still sealed: separated by spaces, the newest first. */
export const formerSecretsIn = (column: string | null): readonly string[] => column?.split(' ') ?? []

/** Whether a trigger has this secret; one that cannot be opened counts as another. */
export function isTriggerSecret(seal: Seal, companyId: string, id: string, sealed: string, secret: string): boolean {
  try {
    return openTriggerSecret(seal, companyId, id, sealed) === secret
  } catch {
    return false
  }
}

/** The column `shown`. */
const shownOf = (secret: string | null): string => JSON.stringify(secret === null ? {} : { apiKey: maskOf(secret) })

/** Makes the function that stores the secrets that were sent for triggers whose rows are locked. */
export const keepSecrets =
  (seal: Seal) =>
  async (transaction: Queryable, written: readonly ProjectionWrite[]): Promise<void> => {
    const kept = new Map<string, NewSecret>()
    for (const { scope, record, sent } of written) {
      const { companyId } = scope
      const secret = sentSecret(sent)
      // Of several changes of one trigger, the last one counts.
      if (secret !== undefined) kept.set(`${companyId} ${record.id}`, { companyId, id: record.id, secret })
    }
    if (kept.size > 0) await storeTriggerSecrets(transaction, seal, [...kept.values()])
  }

/** A trigger's new secret; null for none. */
interface NewSecret {
  readonly companyId: string
  readonly id: string
  readonly secret: string | null
}

/** SQL of the column `former_secret` after a change. All functions in it are immutable, as distributed tables require. */
const formerSecrets = `substring(
            coalesce(stored.secret || ' ', '') || case when stored.former_secret_until > now() then coalesce(stored.former_secret, '') else '' end
            from '\\S+(?: \\S+){0,${FORMER_SECRETS_MOST - 1}}')`

/**
 * Stores secrets of triggers, sealed. A replaced secret is kept for a while, together with earlier ones that still
 * sign, since receivers may have any of them. If the secret is cleared, none is kept.
 */
export async function storeTriggerSecrets(transaction: Queryable, seal: Seal, secrets: readonly NewSecret[]) {
  await transaction.query(
    {
      name: 'automation_triggers_keep_secrets',
      text: `
        update automation_triggers as stored set secret = item.secret, shown = item.shown::json,
          former_secret = case when item.secret is not null then ${formerSecrets} end,
          former_secret_until = now() + interval '${FORMER_SECRETS}'
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as item(company_id, id, secret, shown)
        where stored.company_id = item.company_id and stored.id = item.id`,
    },
    [
      secrets.map(({ companyId }) => companyId),
      secrets.map(({ id }) => id),
      secrets.map(({ companyId, id, secret }) => secret && sealTriggerSecret(seal, companyId, id, secret)),
      secrets.map(({ secret }) => shownOf(secret)),
    ],
  )
}

/** Removes the secrets that no longer sign. Triggers keep their versions: what their calls are signed with is the same. */
export const removeFormerSecrets = (database: Queryable): Promise<unknown> =>
  database.query(
    'update automation_triggers set former_secret = null, former_secret_until = null where former_secret_until <= now()',
  )

/** A secret to be written over the one that was read. */
interface SecretWrite {
  readonly companyId: string
  readonly id: string
  readonly held: string | null
  readonly secret: string | null
  /** The column `former_secret`. */
  readonly former: string | null
  readonly shown: string
}

/**
 * Goes through all triggers in batches and writes the result of `change` for each row. A row has company, id, secret, former
 * secrets and `shown`. Skips a secret that was changed meanwhile: that change sealed it. Returns how many were
 * written.
 */
async function changeAll(database: Database, change: (row: Row) => SecretWrite | undefined): Promise<number> {
  let written = 0
  for (let last: Row = ['', '']; last !== undefined; ) {
    const rows = await database.query(
      `select company_id, id, secret, former_secret, shown
       from automation_triggers where (company_id, id) > ($1, $2) order by company_id, id limit $3`,
      [last[0], last[1], TRIGGERS_SEALED],
    )
    const writes = rows.flatMap((row) => change(row) ?? [])
    const counts = await queryByCompany(
      database,
      writes,
      ({ companyId }) => companyId,
      async (own) => (own.length === 0 ? [] : [await retryOnConflict(() => write(database, own))]),
    )
    for (const count of counts) written += count
    last = rows.at(-1) as Row
  }
  return written
}

/** A row that looks the same keeps its version, so that its dispatcher continues. */
async function write(database: Database, writes: readonly SecretWrite[]): Promise<number> {
  const [row] = await database.query(
    `with item as materialized (
       select item.* from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
         as item(company_id, id, held, secret, shown, former)
       join automation_triggers as stored on stored.company_id = item.company_id and stored.id = item.id
         and stored.secret is not distinct from item.held
       order by item.company_id, item.id for update of stored
     ), written as (
       update automation_triggers as stored set secret = item.secret,
         former_secret = case when stored.former_secret is not null then item.former end,
         version = stored.version + (item.shown <> stored.shown::text)::int, shown = item.shown::json
       from item where stored.company_id = item.company_id and stored.id = item.id returning 1
     )
     select count(*) from written`,
    [
      writes.map(({ companyId }) => companyId),
      writes.map(({ id }) => id),
      writes.map(({ held }) => held),
      writes.map(({ secret }) => secret),
      writes.map(({ shown }) => shown),
      writes.map(({ former }) => former),
    ],
  )
  return row?.[0]
}

/** Reseals each secret for which `reseal` returns another text. */
export const resealTriggers = (database: Database, reseal: Reseal): Promise<number> =>
  changeAll(database, ([companyId, id, held, before, shown]) => {
    const context = contextOf(companyId, id)
    const secret = held === null ? held : (reseal(held, context) ?? held)
    const former =
      before &&
      formerSecretsIn(before)
        .map((one) => reseal(one, context) ?? one)
        .join(' ')
    return secret === held && former === before ? undefined : { companyId, id, held, secret, former, shown }
  })

/** Clears all secrets; from then on the triggers are called without one. */
export const clearTriggerSecrets = (database: Database): Promise<number> =>
  changeAll(database, ([companyId, id, held]) =>
    held === null ? undefined : { companyId, id, held, secret: null, former: null, shown: '{}' },
  )
