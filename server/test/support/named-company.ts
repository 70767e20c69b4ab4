// Whether a statement names one company wherever it reads or writes a distributed table: only then does Citus run it on the one node that has the rows.

import pg from 'pg'
import { coordinatorTables, distributedTables } from '../../src/database/migrations/distribution.ts'

/** Statements that are about all companies, by their beginning, and why each may be: none locks a row of another node. */
const ofAllCompanies: readonly [RegExp, string][] = [
  [
    /^\s*(create|alter|drop|truncate|lock|analyze|vacuum|copy|explain|declare)\b/i,
    'definitions, tests, and the file of a company',
  ],
  [
    /^\s*select company_id, id from automation_triggers as stored\s+where due_at <= now\(\)/,
    'a look for due triggers; each is leased by itself',
  ],
  [/^\s*select company_id, id, position, is_active and/, 'a look for forgotten triggers'],
  [/^\s*select count\(\*\).* from automation_triggers$/, 'metrics of triggers'],
  [/^\s*select company_id, position from automation_triggers as held/, 'metrics of triggers that are behind'],
  [/^\s*select count\(\*\).* from \( select event_at from webhook_deliveries/, 'metrics of retries'],
  [/^\s*select count\(\*\).* from sum_cursors/, 'metrics of reports'],
  [/^\s*select company_id, id, body ->> 'customTriggerName'/, 'a look for failing triggers of some companies'],
  [/^\s*select company_id from sum_cursors/, 'a look for reports in use'],
  [/^\s*select distinct company_id from sum_cursors/, 'a look for sums of deleted companies'],
  [
    /^\s*select company_id, id from \( \(select company_id, id from attachment_files/,
    'a look for files without an attachment',
  ],
  [
    /^\s*select company_id, id, secret, former_secret, shown from/,
    'a look for secrets to be sealed; each is written by its company',
  ],
  [
    /^\s*update automation_triggers set former_secret = null, former_secret_until = null where former_secret_until/,
    'former secrets that no longer sign, each in its row alone',
  ],
  [
    /^\s*update \w+ set (due_at|held_until|next_at) = now\(\) where \1 is not null and \1 > now\(\) \+ interval/,
    'waits from before the clock was set back, each in its row alone',
  ],
  [
    /^\s*with gone as \( delete from idempotency_keys as kept using \(select/,
    'expired keys, which nothing else writes',
  ],
]

/** Whether a statement is about all companies by intention. */
export const isOfAllCompanies = (text: string): boolean =>
  ofAllCompanies.some(([pattern]) => pattern.test(text.replaceAll(/\s+/g, ' ')))

const tables = Object.keys(distributedTables).join('|')
const mention = new RegExp(
  `\\b(?:from|join|update|using)\\s+(?:only\\s+)?(${tables})\\b(?!\\s*\\()(?:\\s+(?:as\\s+)?(?!on\\b|set\\b|where\\b|cross\\b|join\\b|left\\b|using\\b|order\\b|group\\b|limit\\b|for\\b|union\\b|inner\\b|values\\b|select\\b|returning\\b|full\\b|default\\b)(\\w+))?`,
  'g',
)

const inserted = new RegExp(`\\binto (?:${tables})\\b`, 'g')

/** The distributed tables, by their aliases, for which a statement names no company. */
export function unnamed(statement: string): string[] {
  const text = statement
    .replaceAll(/--.*$/gm, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
  if (isOfAllCompanies(text)) return []
  const named = new Set<string>()
  for (const [, alias = ''] of text.matchAll(/(?:\b(\w+)\.)?\b(?:company_id|owner_id) = \$\d+/g)) named.add(alias)
  if (/\bcompany\.id = \$\d+/.test(text)) named.add('company')
  const equal = [...text.matchAll(/\b(\w+)\.(?:company_id|owner_id) = (\w+)\.(?:company_id|owner_id|id)\b/g)]
  for (let size = -1; size < named.size; ) {
    size = named.size
    for (const [, a = '', b = ''] of equal) {
      if (named.has(a)) named.add(b)
      if (named.has(b)) named.add(a)
    }
  }
  const read = [...text.matchAll(mention)].flatMap(([all, table = '', alias]) => {
    const isNamed = named.has(alias ?? table) || (alias === undefined && named.has(''))
    return isNamed || text.includes(`${all} where company_id = $1`) ? [] : [`${table} ${alias ?? ''}`.trim()]
  })
  const isOfOne = /\((?:company_id|owner_id)\b[^)]*\) (?:values \(\$1|select \$1)/.test(text)
  return isOfOne ? read : [...read, ...[...text.matchAll(inserted)].map(([into]) => into)]
}

const written = new RegExp(`\\b(?:insert into|delete from|update) (?:${tables})\\b`, 'g')

const local = Object.keys(coordinatorTables).join('|')
const locked = new RegExp(`\\bfor (?:no key )?(?:update|share)\\b|\\b(?:update|delete from) (?:${tables}|${local})\\b`)
const readFrom = (names: string) => new RegExp(`\\b(?:from|join|update) (?:${names})\\b`)

/** What an update sets. */
const updated = new RegExp(`\\bupdate (?:${tables})\\b.*? set (.*?) (?:from|where) `)
/** Those that take columns; without them, Citus computes their values first. */
const stable = /\b(?:jsonb?_build_\w+|jsonb?_strip_nulls|to_jsonb?|row_to_json|format|concat(?:_ws)?|timezone)\(/

/** What Citus refuses in a statement over distributed tables, though it names one company; undefined if nothing that is known. */
export function refusal(statement: string): string | undefined {
  const text = statement.replaceAll(/\s+/g, ' ')
  const writes = text.match(written) ?? []
  if (writes.length > 1) return `several writes: ${writes.join(', ')}`
  if (writes.length > 0 && /\bctid\b/.test(text)) return 'a place of a row, which is another on each node'
  if (stable.test(updated.exec(text)?.[1] ?? '')) return 'a function in an update that is not immutable'
  if (/\bpg_current_xact_id/.test(text) && readFrom(tables).test(text))
    return 'the number of a transaction, which is another on each node'
  if (locked.test(text) && readFrom(tables).test(text) && readFrom(local).test(text))
    return 'a lock or a write beside tables of the coordinator'
  return undefined
}

/**
 * Calls `see` with the text of every statement that this process sends from now on, and the database that it is for;
 * returns the function that ends it.
 */
export function watchStatements(see: (text: string, database: string | undefined) => void): () => void {
  const { prototype } = pg.Client as unknown as { prototype: { query: (...values: any[]) => unknown } }
  const { query } = prototype
  prototype.query = function (this: pg.Client, ...values: any[]) {
    const [config] = values
    const text = typeof config === 'string' ? config : config?.text
    if (typeof text === 'string') see(text, this.database)
    return query.apply(this, values)
  }
  return () => {
    prototype.query = query
  }
}
