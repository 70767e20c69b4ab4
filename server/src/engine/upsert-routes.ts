// Upserts on the wire: `PUT …/external/{source}/{externalId}` for one record, and the mode of a bulk create for many.

import type { JsonSchema } from '../core/json-schema.ts'
import { invalid, type MemberError, Problem } from '../core/problem.ts'
import { type Permission, permissions, type Scope } from '../core/scope.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { bulk } from './bulk.ts'
import { closed, documents } from './documents.ts'
import type { Operations } from './operations.ts'
import type { ItemResult } from './record.ts'
import type { Resource } from './resource.ts'
import { type ItemWithPair, type Pair, pairIn, pairInWords, pairMembers, pairText, upsertMany } from './upsert.ts'

/** The parameter of a bulk create, and its further results in the reference. */
export const upsertMode = {
  query: {
    mode: {
      type: 'string',
      enum: ['create', 'upsert'],
      default: 'create',
      description:
        'With `upsert`, an item updates the record that has its `externalId` and, where the resource has one, its `source`, and then needs only the members that change; without such a record it creates one. Items may then have `ifMatch`, and the key also needs the permission `update`.',
    },
  },
  counts: Object.fromEntries(
    (['created', 'updated', 'unchanged'] as const).map((outcome) => [
      outcome,
      { type: 'integer', description: `With \`mode=upsert\`: how many items have the outcome \`${outcome}\`.` },
    ]),
  ),
  members: {
    outcome: {
      type: 'string',
      enum: ['created', 'updated', 'unchanged'],
      description: 'With `mode=upsert`: what became of the record.',
    },
  },
}

/** How upserts are carried out: those of one company that wait, together in one transaction. */
export const upserts = (operations: Operations) =>
  operations.inTransactions<ItemWithPair, ItemResult>((transaction, items) =>
    upsertMany(operations, transaction, items),
  )

/** The route that stores one record under its id in another system. */
export function upsertRoute(operations: Operations, carryOut: ReturnType<typeof upserts>, one: string): Route {
  const { resource } = operations
  const { record, update, example, words, type } = documents(resource)
  const members = pairMembers(resource)
  const reply = (description: string) => ({ description, schema: record, example })
  return {
    surface: 'company',
    tag: resource.title,
    semaphore: 'none',
    method: 'PUT',
    permission: ['create', 'update'],
    path: `/v1/${one}/external/${members.map((member) => `{${member}}`).join('/')}`,
    operationId: `upsert${type}`,
    summary: `Create or update ${words.one} by its id in another system`,
    description: `Updates the record that has this ${members.map((member) => `\`${member}\``).join(' and ')}, or creates one: members that you send replace the stored ones, others keep their values, and a new record needs those that a create needs. Requests for the same id take turns, so there is never a second record. If several records have it already, the response is 409 and names them. Deleted records do not count.`,
    params: Object.fromEntries(members.map((member) => [member, pathSchema(resource, member)])),
    body: { schema: closed(update), example: withoutPair(resource) },
    replies: {
      200: reply('The updated record, or the unchanged one if nothing differed.'),
      201: reply('The new record.'),
    },
    problems: ['conflict'],
    isRecord: true,
    takesIfMatch: true,
    hasSecret: resource.hasSecret,
    handle: ({ scope, params, body, ifMatch, claim, isGone }) => {
      const pair = pairOfPath(resource, params)
      requireSamePair(pair, body)
      return carryOut({
        scope,
        claim,
        isGone,
        works: [{ scope, pair, value: body, ifMatch }],
        answer: async ([result]) => {
          if (result === undefined || result instanceof Problem) return result as Problem
          return { status: result.outcome === 'created' ? 201 : 200, body: result.text }
        },
      })
    },
  }
}

/**
 * The schema of a segment of the path. The example of `source` names another system, since an `externalId` comes from
 * one.
 */
const pathSchema = ({ fields }: Resource, member: string): JsonSchema => ({
  ...fields[member]?.schema,
  ...(member === 'source' && { examples: ['woo-commerce'] }),
})

/** The members of a pair with an example of each. */
export const pairExample = (resource: Resource): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    pairMembers(resource).map((member) => [member, (pathSchema(resource, member).examples as unknown[])[0]]),
  )

/** The example of a body without the pair, which the path has. */
const withoutPair = (resource: Resource) =>
  Object.fromEntries(Object.entries(resource.example).filter(([member]) => !pairMembers(resource).includes(member)))

/** Answers a bulk request of upserts. */
export function bulkUpsert(
  call: Call,
  { resource }: Operations,
  carryOut: ReturnType<typeof upserts>,
): Promise<Answer> {
  requirePermission(call.scope, 'update', 'an upsert creates and updates records')
  return bulk(call, {
    hasIds: false,
    takesIfMatch: true,
    showsRecord: true,
    summarise: countOutcomes,
    carry: ({ scope, claim, isGone }, items, answer) => {
      const seen = new Set<string>()
      const checked = items.map((item): ItemWithPair | Problem => {
        const pair = pairIn(resource, item.value, item.at)
        if (pair instanceof Problem) return pair
        const name = pairText(pair)
        if (seen.has(name)) return duplicate(pair)
        seen.add(name)
        return { ...item, pair }
      })
      const works = checked.filter((item): item is ItemWithPair => !(item instanceof Problem))
      return carryOut({
        scope,
        claim,
        isGone,
        works,
        weight: works.length,
        answer: (results) => {
          const left = [...results]
          return answer(checked.map((item) => (item instanceof Problem ? item : (left.shift() as ItemResult))))
        },
      })
    },
  })
}

const duplicate = (pair: Pair): Problem =>
  new Problem('duplicate_item', `An earlier item already has the ${pairInWords(pair)}; this item was not carried out.`)

function countOutcomes(results: readonly ItemResult[]): object {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const result of results) if (!(result instanceof Problem) && result.outcome) counts[result.outcome]++
  return counts
}

/** Throws 403 for a key that lacks a permission which the verb of the request does not imply. */
export function requirePermission(scope: Scope, needed: Permission, why: string): void {
  if (scope.may(needed)) return
  const has = permissions.filter((permission) => scope.may(permission))
  throw new Problem(
    'permission_denied',
    `The key has no permission to ${needed}, and ${why}; it has ${has.join(', ')}.`,
  )
}

/** The pair that a path names. Throws 400 for a segment that no record can have. */
function pairOfPath(resource: Resource, params: Call['params']): Pair {
  const errors: MemberError[] = []
  const wrong = (pointer: string, code: string, message: string) =>
    void errors.push({ in: 'path', pointer, code, message })
  const pair: Record<string, string> = {}
  for (const member of pairMembers(resource)) {
    const value = params[member] ?? ''
    const most = resource.fields[member]?.schema.maxLength as number
    if (value === '') wrong(member, 'required', 'must not be empty')
    else if (value.includes('\u0000')) wrong(member, 'nul', 'must not contain the character U+0000')
    else if ([...value].length > most) wrong(member, 'maxLength', `must have at most ${most} characters`)
    pair[member] = value
  }
  if (errors.length > 0) throw invalid(errors)
  return pair
}

/** Throws 400 for a body that names another pair than the path. */
function requireSamePair(pair: Pair, body: unknown): void {
  if (typeof body !== 'object' || body === null) return
  const errors = Object.entries(pair).flatMap(([member, value]) => {
    const sent = Object.hasOwn(body, member) ? (body as Record<string, unknown>)[member] : value
    const message = `must be ${JSON.stringify(value)}, as in the path, or left out`
    return sent === value ? [] : { in: 'body' as const, pointer: `/${member}`, code: 'path', message }
  })
  if (errors.length > 0) throw invalid(errors)
}
