// The SDK as data: resources with their methods, types, events and error codes, read from openapi.sdk.json. It knows no programming language.
import type { Schema } from '../src/schema-types.ts'
import { nameOf } from './names.ts'

/** The parts of the document that are read. */
interface Document {
  readonly info: { readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema & { readonly 'x-event-types'?: Readonly<Record<string, string>> }>>
  }
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** A parameter of a path or a query. */
interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
}

/** How the pages of a list follow each other: by `cursor`, by `after`, or by `skip`. */
type Paging = 'cursor' | 'after' | 'skip'

/** A method of a resource: one operation of the API. */
export interface Method {
  readonly name: string
  readonly operationId: string
  readonly summary: string
  readonly description: string | undefined
  readonly verb: string
  readonly path: string
  /** Names in the path, in their order. */
  readonly ids: readonly string[]
  readonly query: readonly Parameter[]
  /** The header of the key that it needs. */
  readonly key: 'company' | 'organization' | 'none'
  readonly takesIdempotencyKey: boolean
  readonly takesIfMatch: boolean
  readonly body: { readonly schema: Schema; readonly isOptional: boolean; readonly contentType: string } | undefined
  /** Present where the body is a list of items: their schema, and the members beside them. */
  /** `isGrouped`: consecutive items with the same `group` are carried out together. */
  readonly bulk: { readonly item: Schema; readonly beside: Schema; readonly isGrouped: boolean } | undefined
  /** Present where it lists: the schema of a record. */
  readonly list: { readonly paging: Paging; readonly item: Schema } | undefined
  readonly isStream: boolean
  /** Whether the answer is a file of any size. */
  readonly isFile: boolean
  readonly result: Schema
}

/** The content type of files of any kind. */
export const anyType = '*/*'

/** A group of methods: `client.customers`. */
export interface Resource {
  readonly name: string
  readonly description: string
  readonly methods: readonly Method[]
}

/** All of the SDK that is generated. */
export interface Model {
  readonly resources: readonly Resource[]
  readonly schemas: Readonly<Record<string, Schema>>
  /** Types of events, and the schema of the record that each is about. */
  readonly events: Readonly<Record<string, string>>
  readonly errorCodes: readonly string[]
}

/** Reads the document. Throws when two operations have the same name. */
export function modelOf({ tags, paths, components }: Document): Model {
  const { schemas } = components
  const groups = new Map<string, { description: string; methods: Method[] }>()
  for (const [path, methods] of Object.entries(paths))
    for (const [verb, operation] of Object.entries(methods)) {
      const { resource, method } = methodOf(verb, path, operation, schemas)
      const [tag = ''] = operation.tags
      const description = tags.find(({ name }) => name === tag)?.description ?? ''
      const group = groups.get(resource) ?? { description, methods: [] }
      if (group.methods.some(({ name }) => name === method.name))
        throw new Error(`${resource}.${method.name} is the name of two operations: see names.ts.`)
      group.methods.push(method)
      groups.set(resource, group)
    }
  return {
    resources: [...groups].map(([name, group]) => ({ name, ...group })),
    schemas,
    events: schemas.Event?.['x-event-types'] ?? {},
    errorCodes: (schemas.ProblemCode?.enum ?? []) as string[],
  }
}

function methodOf(verb: string, path: string, operation: Operation, schemas: Model['schemas']) {
  const { operationId, tags, summary, description, security, parameters = [], requestBody, responses } = operation
  const takes = (name: string) => parameters.some(({ $ref = '' }) => $ref.endsWith(`/${name}`))
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const [resultType, { schema: result }] = contentOf(Object.values(responses)[0]?.content)
  const [contentType, { schema: body }] = contentOf(requestBody?.content)
  const list = verb === 'get' ? listOf(resolved(result, schemas), query) : undefined
  const bulk = bulkOf(resolved(body, schemas), schemas)
  const names = nameOf({
    id: operationId,
    tag: tags[0] ?? '',
    method: verb,
    path,
    isBulk: bulk !== undefined,
    isList: list !== undefined,
  })
  const has = (scheme: string) => security.some((one) => scheme in one)
  const method: Method = {
    name: names.method,
    operationId,
    summary,
    description,
    verb: verb.toUpperCase(),
    path,
    query,
    result,
    bulk,
    list,
    ids: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    // A method for people sends the key too, if the client has one, so that the service says that keys cannot do this.
    key: has('companyKey') ? 'company' : has('organizationKey') ? 'organization' : has('signIn') ? 'company' : 'none',
    takesIdempotencyKey: takes('Idempotency-Key'),
    takesIfMatch: takes('If-Match'),
    body: requestBody && { schema: body, isOptional: !requestBody.required, contentType },
    isStream: resultType === 'text/event-stream',
    isFile: ['application/x-ndjson', anyType].includes(resultType),
  }
  return { resource: names.resource, method }
}

/** The only content type of a body, with its schema. */
const contentOf = (content: Content = {}): [string, { readonly schema: Schema }] =>
  Object.entries(content)[0] ?? ['', { schema: {} }]

const resolved = (schema: Schema, schemas: Model['schemas']): Schema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.replace('#/components/schemas/', '')] ?? schema)

/** Whether a schema, or one that it is made of, has a member. */
function hasMember(schema: Schema, member: string, schemas: Model['schemas']): boolean {
  const { properties = {}, allOf = [] } = resolved(schema, schemas)
  return Object.hasOwn(properties, member) || allOf.some((part) => hasMember(part, member, schemas))
}

function listOf(result: Schema, query: readonly Parameter[]): Method['list'] {
  const takes = (name: string) => query.some((parameter) => parameter.name === name)
  if (result.type === 'array') return takes('skip') ? { paging: 'skip', item: result.items ?? {} } : undefined
  const { data, meta } = result.properties ?? {}
  if (data?.items === undefined || meta === undefined) return undefined
  const paging = takes('cursor') ? 'cursor' : takes('after') ? 'after' : undefined
  return paging && { paging, item: data.items }
}

function bulkOf({ oneOf = [] }: Schema, schemas: Model['schemas']): Method['bulk'] {
  const { properties: { items, ...beside } = {} } = oneOf[0] ?? {}
  if (items?.items === undefined) return undefined
  const isGrouped = hasMember(items.items, 'group', schemas)
  return { item: items.items, beside: { type: 'object', properties: beside }, isGrouped }
}
