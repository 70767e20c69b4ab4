// The SQL of a search: first what equals the text or begins with it, from ordered indexes; then what contains its words, from the search index.

import type { Statement } from '../../database/connect.ts'
import { equals, keepsPlan, unseenCompany } from '../../database/statement.ts'
import { companyChecked, rowsRead } from '../../engine/lists/list-filters.ts'
import { containing } from '../../engine/lists/search-conditions.ts'
import { snakeCase } from '../../engine/resource.ts'
import { type Searched, searched } from './searched.ts'
import type { Sought } from './sought.ts'

type BoundStatement = readonly [Statement, readonly unknown[]]

/** Records that one look-up reads where the words that it looks for are too short for the search index. */
const READ_FOR_SHORT = 100

/** The most records that are shown, the newest first, where words are looked up in the rows of all companies. */
const FEW_FOUND = 100

/** The beginning of all texts after those that begin with a text: U+10FFFF sorts last. */
const last = '\u{10ffff}'

/** The digits of a phone number as the migrations index them. */
const phoneDigits = `regexp_replace(stored.phone, '^[^0-9]*00|[^0-9]', '', 'g')`

/** Whether a row counts as a record. */
const isRecord = ({ resource: { remove, existsCondition } }: Searched, company = 'stored.company_id = $1'): string =>
  `${company}${remove === 'soft' ? ' and not stored.is_deleted' : ''}${existsCondition ? ` and ${existsCondition}` : ''}`

/** What is read of the rows `stored` that a look-up finds. */
function found({ name, read }: Searched, rows: string): string {
  const members = Object.entries(read).map(([member, sql]) => `'${member}', ${sql}`)
  return `(select '${name}', stored.id, json_build_object(${members.join(', ')}) from ${rows})`
}

/** Records with this id or exactly these values, and records with a text that begins with the one sought. */
export function beginsStatement(companyId: string, sought: Sought, limit: number): BoundStatement {
  const { id, text, beginnings, phone, long } = sought
  const most = long.length > 0 || sought.words.length < 2 ? limit : READ_FOR_SHORT
  const values = [companyId, id ?? '', [...new Set([text, ...beginnings])], most, phone?.beginnings ?? []]
  const parts = searched.flatMap((each) => {
    const { resource, codes, ordered, hasPhone } = each
    const rows = `${resource.table} as stored where ${isRecord(each, `stored.company_id = ${unseenCompany}`)}`
    const among = (list: string, condition: string, order: string) =>
      `unnest(${list}::text[]) with ordinality as sought (beginning, number)
        cross join lateral (select stored.* from ${rows} and ${condition} order by ${order} limit $4::int) as stored where ${keepsPlan('sought.number')}`
    const begins = (column: string, end: string) =>
      `${column} >= sought.beginning and ${column} < sought.beginning || ${end}`
    return [
      ...(id === undefined ? [] : [found(each, `${rows} and stored.id = $2`)]),
      ...codes
        .filter((member) => !ordered.includes(member))
        .map((member) => {
          const column = `stored.${snakeCase(member)}`
          return found(each, among('$3', equals(column, 'sought.beginning'), `${column}, stored.created_at`))
        }),
      ...ordered.map((member) => {
        const column = `stored.${snakeCase(member)}`
        return found(each, among('$3', begins(column, `'${last}'`), `${column}, stored.id`))
      }),
      ...(hasPhone && phone
        ? [
            found(
              each,
              among('$5', `stored.phone <> '' and ${begins(phoneDigits, "':'")}`, `${phoneDigits}, stored.id`),
            ),
          ]
        : []),
    ]
  })
  const name = `search_begins${id === undefined ? '' : '_id'}${phone ? '_phone' : ''}`
  // Parameters that no part names would have no type.
  const unused = 'where $2::text is null and $5::text[] is null'
  return [{ name, text: `${parts.join('\nunion all\n')}\nunion all (select '', '', null ${unused})` }, values]
}

/**
 * Records whose texts contain all words, in any order and in any of the texts. Undefined where no word is long enough.
 * `heldByCompany`: resources of whose large tables nearly all rows are the company's. There, the search index is asked for the words alone.
 */
export function wordsStatement(
  companyId: string,
  { long, short }: Sought,
  limit: number,
  heldByCompany: readonly Searched[],
): BoundStatement | undefined {
  if (long.length === 0) return undefined
  const values: unknown[] = [companyId, limit]
  const bind = (value: unknown) => `$${values.push(value)}`
  const sought = [
    ...long.map((word) => ({ ending: '', patterns: [bind(containing(word))] })),
    // In a form that the search index does not have, since the whole index would be read. A short word is searched as
    // the beginning of a word.
    ...short.map((word) => {
      const pattern = containing(word)
      return { ending: ` || ''`, patterns: [bind(pattern.slice(1)), bind(`% ${pattern.slice(1)}`)] }
    }),
  ]
  const parts = searched.flatMap((each) => {
    const { resource, texts } = each
    const containsAll = sought.map(({ ending, patterns }) => {
      const conditions = texts.flatMap((member) =>
        patterns.map(
          (pattern) =>
            `upper((stored.${snakeCase(member)}${ending}) collate "und-x-icu") like upper(${pattern}::text collate "und-x-icu")`,
        ),
      )
      return `(${conditions.join(' or ')})`
    })
    const conditions = containsAll.join(' and ')
    const newest = 'order by stored.created_at desc, stored.id desc limit $2::int'
    const rows = heldByCompany.includes(each)
      ? `(select few.* from (
           select stored.* from ${resource.table} as stored where ${isRecord(each, `${companyChecked} and ${rowsRead}`)} and ${conditions} limit ${FEW_FOUND}
         ) as few order by few.created_at desc, few.id desc limit $2::int) as stored`
      : `(select stored.* from ${resource.table} as stored where ${isRecord(each)} and ${conditions} ${newest}) as stored`
    return texts.length === 0 ? [] : [found(each, rows)]
  })
  return [{ text: parts.join('\nunion all\n') }, values]
}
