// What a resource is: data, from which validation, storage, both path styles, lists and the reference are made.

import type { JsonSchema } from '../core/json-schema.ts'
import { NAME_CHARACTERS } from '../core/limits.ts'
import type { Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { Queryable } from '../database/connect.ts'
import { dateTime, type Fields, id, isLongText, type Members, oid, serverOwned } from './field.ts'
import type { Projection } from './projection.ts'
import type { Change, Key } from './record.ts'

/** What lists of a resource can do besides the members that all share (decisions §3). */
interface ListAbilities<M> {
  /** Members that `sortBy` accepts; createdAt and updatedAt always are. */
  readonly sort?: readonly M[]
  /** Members searched by `searchBy<Member>`, ignoring case. */
  readonly search?: readonly M[]
  /** Members filtered by their exact value. */
  readonly exact?: readonly M[]
  /** Those of them with a value that few records share, such as a barcode. An index begins with the company and the member (look-up.ts). */
  readonly selective?: readonly M[]
  /** Exact members that also take several words, separated by commas. An index has the order of creation for each word. */
  readonly separated?: readonly M[]
  /** Array members filtered by any of a comma-separated list. */
  readonly any?: readonly M[]
  /** Date-times filtered by `gte`, `lte`, `gt`, `lt`; createdAt and updatedAt always are. */
  readonly range?: readonly M[]
  /** Filters that a list requires. */
  readonly needs?: readonly M[]
}

/** A filter that depends on more than one member of the record. */
export interface OwnFilter {
  readonly schema: JsonSchema
  /** SQL condition over the row `stored`. $1 is the company, `value` the placeholder of the parameter's value. */
  readonly condition: (value: string) => string
  /** The same condition in a form that costs less for the few records of a page. */
  readonly pageCondition?: (value: string) => string
  /** Whether few records match, so that they are looked up first and then sorted. */
  readonly isSelective?: boolean
  /** The other resources whose records decide which records match: without an event of theirs, the number of matches stays. */
  readonly reads?: readonly string[]
}

/** Side effects of a record's writes on rows of other tables, written in the same transaction. */
export interface SideEffects {
  /** Whether a create or an update has side effects; without any it needs no transaction. `removing` handles hard deletes. */
  readonly applies: (before: RecordMembers | undefined, after: RecordMembers) => boolean
  readonly locksFirst?: LocksFirst
  /** Applies the side effects of what was just written, in its order. */
  readonly write: (transaction: Queryable, changes: readonly RecordChange[]) => Promise<void>
  /** Wraps a hard delete: locks what depends on the records, calls `remove` to delete them, and applies the side effects. */
  readonly removing?: (transaction: Queryable, keys: readonly Key[], remove: () => Promise<void>) => Promise<void>
}

/**
 * Rows of another table that a transaction locks before it locks the records themselves, so that all transactions lock in one
 * order. The records may still change until they are locked. If a write then depends on more rows, it must not wait for
 * them: `write` locks these rows with NOWAIT, and if that fails, the transaction begins again.
 */
export interface LocksFirst {
  /** Whether an update may need it, whatever its record is. */
  readonly isNeeded: (change: Change) => boolean
  /** The rows on which a write depends. */
  readonly keysOf: (change: RecordChange) => readonly Key[]
  /** Locks the rows that exist until the transaction ends, in one order for all transactions. */
  readonly lock: (transaction: Queryable, keys: readonly Key[]) => Promise<void>
}

/** Combines side effects; each gets the changes to which it applies. At most one of them can have `locksFirst`. */
export function combineSideEffects(...all: readonly SideEffects[]): SideEffects {
  const [locksFirst, another] = all.flatMap(({ locksFirst }) => locksFirst ?? [])
  if (another) throw new Error('At most one side effect of a resource can lock rows of other tables first.')
  return {
    applies: (before, after) => all.some((sideEffects) => sideEffects.applies(before, after)),
    ...(locksFirst && { locksFirst }),
    async write(transaction, changes) {
      for (const sideEffects of all) {
        const own = changes.filter(({ before, after }) => sideEffects.applies(before, after))
        if (own.length > 0) await sideEffects.write(transaction, own)
      }
    },
    removing: (transaction, keys, remove) =>
      all.reduceRight<() => Promise<void>>(
        (inner, { removing }) => (removing ? () => removing(transaction, keys, inner) : inner),
        remove,
      )(),
  }
}

/** One write, with the scope of its caller; a create has no `before`. */
export interface RecordChange extends Key {
  readonly before: RecordMembers | undefined
  readonly after: RecordMembers
}
type RecordMembers = Readonly<Record<string, any>>

/** The name of a resource, and what the reference calls one record where the name does not count things. */
interface ResourceName {
  readonly one: string
  readonly many: string
  readonly record?: string
}

/** What a resource file declares. `F` are its own members; those of every record are added. */
interface Declaration<F extends Fields> {
  /** Kebab-case, as in Style B paths and event types: `catalog-visibility`, `catalog-visibilities`. */
  readonly name: ResourceName
  /** Heading in the reference, and a description in a sentence or two. */
  readonly title: string
  readonly description: string
  readonly fields: F
  /** At least one of these is required on create. */
  readonly requireOneOf?: readonly (keyof F & string)[]
  /**
   * The member that says when the recorded thing happened, if not at `createdAt`; without it, `createdAt` counts. Lists
   * sort and filter by it. The statements write it to a nullable column of its name.
   */
  readonly moment?: keyof F & string
  /** `soft` flags the record and keeps it (decisions §4). */
  readonly remove: 'hard' | 'soft'
  /** Members that the service computes from the others, at each write; or what is wrong with their combination. */
  readonly derive?: (record: Members<F>, before?: Members<F>) => Derived<F> | Problem
  /**
   * Runs in the create's transaction before the records are stored. It may complete them, or return problems at the indexes
   * of invalid ones.
   */
  readonly prepare?: Prepare<F>
  /**
   * Runs in the update's transaction before changes of members of `unique` and `amended` are written. For each sent change it
   * returns the change to apply instead, or a problem.
   */
  readonly amend?: (transaction: Queryable, edits: readonly Edit[]) => Promise<readonly (Change | Problem)[]>
  /** Members beside those of `unique` whose changes `amend` gets. */
  readonly amended?: readonly (keyof F & string)[]
  /** Further events that a write raises besides created or updated, and when: `completed` is `order.completed` (decisions §9). */
  readonly raises?: Readonly<Record<string, (now: Members<F>, before: Members<F> | undefined) => boolean>>
  /** `oid` for records with `_id` and ids as `{"$oid": …}` instead of `id` and plain ones (pos-api.md, custom tables). */
  readonly ids?: 'plain' | 'oid'
  /** SQL condition over the row `stored`; without it the record counts as absent although its row exists. */
  readonly existsCondition?: string
  /** Members whose values no two live records may share; a unique index enforces it. */
  readonly unique?: readonly (keyof F & string)[]
  /** The 409 message for a second record with the same values of `unique`. */
  readonly conflict?: string
  readonly projection?: Projection
  readonly sideEffects?: SideEffects
  readonly list: ListAbilities<keyof F & string>
  /**
   * Whether the statements of writes set the columns by which lists filter and sort (the default, which costs least), or
   * PostgreSQL generates them from the body.
   */
  readonly columns?: 'set' | 'generated'
  /** Where to send what callers expect to be a member and is none, by the name that they use. */
  readonly elsewhere?: Readonly<Record<string, string>>
  /** What the APIs of others call it, in the singular: a wrong path with such a name is answered with the right one. */
  readonly alsoCalled?: readonly string[]
  /** Additional filters of Style B lists, by parameter. */
  readonly filters?: Readonly<Record<string, OwnFilter>>
  /** Whether records are searched far more often than any is written: the count of a search is remembered until then. */
  readonly keepsSearchCounts?: boolean
  /** Style A paths under /v1/api; null when the contract gives none. */
  readonly styleA: { readonly one: readonly string[]; readonly list: string } | null
  /** Style B paths under /v1. */
  readonly styleB: { readonly one: string; readonly many: string } | null
  /** A record as a caller would send it, for the reference. */
  readonly example: Members<F>
}

/** A record about to be stored: its scope, and its members so far. */
interface PreparedRecord<F extends Fields> {
  readonly scope: Scope
  readonly record: Members<F> & { id: string }
}

type Prepare<F extends Fields> = (
  database: Queryable,
  drafts: readonly PreparedRecord<F>[],
) => Promise<undefined | readonly (Problem | undefined)[]>

/** A sent change and the stored record that it concerns. */
export interface Edit {
  readonly scope: Scope
  readonly before: RecordMembers
  readonly change: Change
}

/** Members that the service computes; undefined removes one. */
type Derived<F extends Fields> = { readonly [M in keyof F]?: Members<F>[M] | undefined }

/** Members that every record has. */
const times = {
  createdAt: serverOwned(dateTime({ description: 'When the record was created, in UTC. The service sets it.' })),
  updatedAt: serverOwned(
    dateTime({
      description: 'When the record last changed, in UTC. The service sets it; an update without a change keeps it.',
    }),
  ),
}
const ids = {
  own: { description: 'Identifies the record. The service chooses it on create; ids sort by time of creation.' },
  company: {
    description: 'The company that owns the record, taken from the key or the sign-in of the request.',
    example: '6740a1f2c3d4e5f6a7b8c900',
  },
}
const common = {
  plain: { id: serverOwned(id(ids.own)), companyId: serverOwned(id(ids.company)), ...times },
  oid: {
    _id: serverOwned(oid(ids.own)),
    companyId: serverOwned(oid({ description: ids.company.description })),
    ...times,
  },
}

/** A declared resource with the members of every record, and the names that are derived from its own. */
export interface Resource {
  readonly name: ResourceName
  readonly title: string
  readonly description: string
  readonly fields: Fields
  /** Those of them that every company's records have. */
  readonly ownFields: Fields
  readonly requireOneOf: readonly string[]
  readonly moment: string | undefined
  readonly remove: 'hard' | 'soft'
  readonly derive: (record: any, before?: any) => object
  readonly prepare: Prepare<any> | undefined
  readonly amend: Declaration<Fields>['amend']
  readonly amended: readonly string[]
  /** Types of events that a write raises besides created or updated. */
  readonly raises: (now: any, before: any) => string[]
  /** All types of events that its records raise. */
  readonly eventTypes: readonly string[]
  readonly ids: 'plain' | 'oid'
  readonly existsCondition: string | undefined
  readonly unique: readonly string[]
  readonly conflict: string
  readonly projection: Projection | undefined
  /** Whether the projection has members, and does not only watch. */
  readonly isProjected: boolean
  readonly sideEffects: SideEffects | undefined
  readonly list: Required<ListAbilities<string>>
  readonly columns: 'set' | 'generated'
  readonly elsewhere: Readonly<Record<string, string>>
  readonly alsoCalled: readonly string[]
  readonly filters: Readonly<Record<string, OwnFilter>>
  readonly keepsSearchCounts: boolean
  readonly styleA: Declaration<Fields>['styleA']
  readonly styleB: Declaration<Fields>['styleB']
  readonly example: Readonly<Record<string, unknown>>
  /** Table in PostgreSQL: the plural in snake_case. */
  readonly table: string
  /** Whether records show the company that they belong to; an account does not (pos-api.md). */
  readonly showsCompany: boolean
  /** Whether a member is a secret: a response with it is stored for retries only in sealed form. */
  readonly hasSecret: boolean
}

/**
 * Completes a declaration. `showsCompany: false` omits `companyId` from the record; append-only records have no
 * `updatedAt`. Throws if lists filter or sort by a text that is too long for it.
 */
export function resource<F extends Fields>(
  declaration: Declaration<F>,
  { showsCompany = true, isAppendOnly = false } = {},
): Resource {
  const { companyId, updatedAt, ...others } = common[declaration.ids ?? 'plain']
  const fields = {
    ...declaration.fields,
    ...declaration.projection?.fields,
    ...others,
    ...(!isAppendOnly && { updatedAt }),
    ...(showsCompany && { companyId }),
  }
  const { one } = declaration.name
  const { moment } = declaration
  const { sort = [], range = [], exact = [] } = declaration.list
  requireWholeTexts(declaration, [...exact, ...sort, ...(declaration.unique ?? [])])
  const further = Object.entries(declaration.raises ?? {}).map(([verb, when]) => ({ type: `${one}.${verb}`, when }))
  return {
    requireOneOf: [],
    derive: () => ({}),
    prepare: undefined,
    amend: undefined,
    amended: [],
    moment: undefined,
    projection: undefined,
    ids: 'plain',
    existsCondition: undefined,
    sideEffects: undefined,
    unique: [],
    columns: 'set',
    elsewhere: {},
    alsoCalled: [],
    filters: {},
    keepsSearchCounts: false,
    conflict: `There is such a ${spoken(declaration.name.one)} already.`,
    ...declaration,
    raises: (now, before) => further.flatMap(({ type, when }) => (when(now, before) ? type : [])),
    // Append-only records are side effects of another record, and its events cover them.
    eventTypes: isAppendOnly
      ? []
      : [...['created', 'updated', 'deleted'].map((verb) => `${one}.${verb}`), ...further.map(({ type }) => type)],
    fields,
    ownFields: fields,
    isProjected: Object.keys(declaration.projection?.fields ?? {}).length > 0,
    list: {
      search: [],
      exact: [],
      selective: [],
      separated: [],
      any: [],
      needs: [],
      ...declaration.list,
      sort: [...sort, ...(moment ? [moment] : [])],
      range: [...range, ...(moment ? [moment] : [])],
    },
    table: snakeCase(declaration.name.many),
    showsCompany,
    hasSecret: Object.values(fields).some(({ secret }) => secret),
  }
}

/** Throws if a member is a text and the column has only its beginning. */
function requireWholeTexts(
  { name, fields }: Pick<Declaration<Fields>, 'name' | 'fields'>,
  compared: readonly string[],
) {
  const long = compared.find((member) => isLongText(fields[member]))
  if (long === undefined) return
  throw new Error(
    `Lists cannot compare ${long} of ${name.one}: it may have more than ${NAME_CHARACTERS} characters. Declare it with name(), or take it out of exact, sort and unique.`,
  )
}

/** SQL of a member's value in the row `stored`, by which lists sort and filter. */
export const columnOf = ({ moment }: Pick<Resource, 'moment'>, member: string): string =>
  member === moment ? `coalesce(stored.${snakeCase(member)}, stored.created_at)` : `stored.${snakeCase(member)}`

/** `catalog-visibility` in prose: `catalog visibility`. */
export const spoken = (name: string): string => name.replaceAll('-', ' ')
/** `firstName` or `custom-table` as the name of a column or table: `first_name`, `custom_table`. */
export const snakeCase = (name: string): string =>
  name.replaceAll('-', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
/** `firstName` in the middle of another word: `FirstName`. */
export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
/** `automation-trigger` as the name of a member or type: `automationTrigger`. */
export const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
