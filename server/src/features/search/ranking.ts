// The order of results: first what equals the text, then what begins with it, then what contains its words.

import { type Searched, type SearchedMembers, searched } from './searched.ts'
import { digitsOf, type Sought } from './sought.ts'

/**
 * How a record matches, best first. `words`: each sought word begins a word of the record. `part`: a sought word is
 * inside of one.
 */
export const matchKinds = ['exact', 'prefix', 'words', 'part'] as const
type Match = (typeof matchKinds)[number]

/** A record that a statement found. */
export interface FoundRecord {
  readonly resource: string
  readonly id: string
  readonly known: SearchedMembers
}

/** A result on the wire. */
interface SearchResult {
  readonly resource: string
  readonly id: string
  readonly title: string
  readonly subtitle: string
  readonly match: Match
  readonly matchedBy: readonly string[]
}

const byName = new Map(searched.map((each) => [each.name, each]))
const folded = (text: unknown): string => (typeof text === 'string' ? text.toUpperCase() : '')

/** The results in their order. Within one kind of match, resources take turns, so that many of one hide no other. */
export function ranked(sought: Sought, found: readonly FoundRecord[]): SearchResult[] {
  const seen = new Set<string>()
  const taken = new Map<string, number>()
  const results = found.flatMap((each) => {
    const key = `${each.resource} ${each.id}`
    if (seen.has(key)) return []
    seen.add(key)
    return resultOf(sought, each) ?? []
  })
  const places = results
    .toSorted((one, other) => matchKinds.indexOf(one.match) - matchKinds.indexOf(other.match))
    .map((result) => {
      const key = `${result.match} ${result.resource}`
      const turn = taken.get(key) ?? 0
      taken.set(key, turn + 1)
      return { result, turn }
    })
  const rankOf = ({ result, turn }: (typeof places)[number]) =>
    matchKinds.indexOf(result.match) * 1_000_000 +
    turn * searched.length +
    searched.findIndex(({ name }) => name === result.resource)
  return places.toSorted((one, other) => rankOf(one) - rankOf(other)).map(({ result }) => result)
}

/** The result that a record makes; undefined if it has not all words. */
function resultOf(sought: Sought, { resource, id, known }: FoundRecord): SearchResult | undefined {
  const of = byName.get(resource) as Searched
  const matched = id === sought.id ? ({ match: 'exact', matchedBy: ['id'] } as const) : matchOf(sought, of, known)
  if (matched === undefined) return undefined
  return { resource, id, title: of.title(known) ?? id, subtitle: of.subtitle(known), ...matched }
}

/** How a record matches, and by which members. */
function matchOf(
  sought: Sought,
  { texts, codes, hasPhone }: Searched,
  known: SearchedMembers,
): Pick<SearchResult, 'match' | 'matchedBy'> | undefined {
  const whole = folded(sought.text)
  const members = [...new Set([...codes, ...texts])].filter((member) => typeof known[member] === 'string')
  const which = (test: (text: string) => boolean, of: readonly string[] = members) =>
    of.filter((member) => test(folded(known[member])))

  const phone = hasPhone && sought.phone && typeof known.phone === 'string' ? digitsOf(known.phone) : undefined
  const dialled = (test: (beginning: string) => boolean) =>
    phone && sought.phone?.beginnings.some(test) ? ['phone'] : []
  const exact = [...which((text) => text === whole), ...dialled((number) => number === phone)]
  if (exact.length > 0) return { match: 'exact', matchedBy: [...new Set(exact)] }

  const words = sought.words.map(folded)
  const joined = texts.map((member) => folded(known[member])).join(' ')
  const named = () => which((text) => words.some((word) => text.includes(word)), texts)
  if (words.length > 1 && words.every((word) => hasWord(joined, word, true)))
    return { match: 'exact', matchedBy: named() }

  const begun = [...which((text) => text.startsWith(whole)), ...dialled((number) => phone?.startsWith(number) === true)]
  if (begun.length > 0) return { match: 'prefix', matchedBy: [...new Set(begun)] }
  if (words.length === 0 || !words.every((word) => joined.includes(word))) return undefined
  return { match: words.every((word) => hasWord(joined, word, false)) ? 'words' : 'part', matchedBy: named() }
}

/** Members whose value identifies one record; names do not. */
const identifying = new Set(['id', 'email', 'phone', 'externalId', 'sku', 'barcode', 'receiptId'])

/** Whether a text without spaces, or a phone number, has found the records that it identifies: it need not be looked for inside of texts. */
export const isIdentified = ({ words, phone, text }: Sought, results: readonly SearchResult[]): boolean =>
  (words.length === 1 || phone !== undefined) &&
  results.some(
    ({ match, matchedBy }) =>
      (match === 'exact' && matchedBy.some((member) => identifying.has(member))) ||
      // An address that is being typed: many others have the same last part.
      (text.includes('@') && matchedBy.includes('email')),
  )

const isInWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Whether a word of a text begins with another, or equals it. */
function hasWord(text: string, word: string, isWhole: boolean): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isInWord(text[at - 1]) && !(isWhole && isInWord(text[at + word.length]))) return true
  return false
}
