// Prints the model as the TypeScript of `sdk/src/generated`.
import { extended } from '../src/company-types.ts'
import { comment, indented, membersOf, type Schema, typeOf } from '../src/schema-types.ts'
import type { Method, Model, Resource } from './model.ts'
import { capitalised } from './names.ts'

const head = '// Written by `npm run sdk` from openapi.sdk.json.\n'

/** The files by name. */
export const files = (model: Model): Readonly<Record<string, string>> => ({
  'types.ts': types(model),
  'columns.ts': columns(),
  'events.ts': events(model),
  'errors.ts': errors(model),
  'client.ts': client(model),
})

function types({ schemas }: Model): string {
  const own = Object.entries(schemas).filter(([name]) => name !== 'Event')
  const printed = own.map(([name, schema]) => {
    const columns = extended[name]
    const isPlain = schema.type === 'object' && schema.properties && !schema.additionalProperties && !schema.allOf
    if (!isPlain) return `${comment(schema.description)}export type ${name} = ${typeOf(schema) ?? 'unknown'}\n`
    const extending = columns === undefined ? '' : ` extends ${columns}`
    return `${comment(schema.description)}export interface ${name}${extending} {\n${membersOf(schema)}}\n`
  })
  const imports = [
    `import type { ${Object.values(extended).join(', ')} } from './columns.ts'\n`,
    `import type { Event } from './events.ts'\n\nexport type { Event }\n`,
  ].join('')
  return indented(`${head}${imports}\n${printed.join('\n')}`)
}

function columns(): string {
  const printed = Object.entries(extended).map(([name, columns]) =>
    [
      comment(`Columns that a company’s own tables add to \`${name}\`: \`npx cashwrap-types\` declares yours.`),
      `// biome-ignore lint/suspicious/noEmptyInterface: it is extended by declarations.\n`,
      `export interface ${columns} {}\n`,
    ].join(''),
  )
  return `${head}\n${printed.join('\n')}`
}

/** `automation-trigger.created` as the name of a type: `AutomationTriggerCreated`. */
const typeName = (type: string): string =>
  type
    .split(/[.\-_]/)
    .map(capitalised)
    .join('')
const camelCase = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

function events({ events }: Model): string {
  const all = Object.entries(events).map(([type, record]) => {
    const [resource = ''] = type.split('.')
    const name = typeName(type)
    return {
      event: `${name}Event`,
      call: `${name}Call`,
      types: [
        `export type ${name}Event = RecordEvent<'${type}', '${resource}', T.${record}>\n`,
        `export type ${name}Call = RecordCall<'${type}', '${camelCase(resource)}', T.${record}>\n`,
      ].join(''),
    }
  })
  const union = (names: readonly string[]) => names.map((name) => `\n  | ${name}`).join('')
  return [
    `${head}import type { CustomCall, CustomEvent, RecordCall, RecordEvent, TestCall } from '../event-shapes.ts'\n`,
    `import type * as T from './types.ts'\n\n`,
    ...all.map(({ types }) => types),
    `\n/** An event, by its \`type\`. */\n`,
    `export type Event =${union([...all.map(({ event }) => event), 'CustomEvent'])}\n`,
    `\n/** A call of a webhook, by its \`eventType\`. */\n`,
    `export type WebhookCall =${union([...all.map(({ call }) => call), 'TestCall', 'CustomCall'])}\n`,
  ].join('')
}

function errors({ errorCodes }: Model): string {
  const named = errorCodes.map((code) => ({ code, name: `${code.split('_').map(capitalised).join('')}Error` }))
  const classes = named.map(({ code, name }) =>
    [
      `/** The code \`${code}\`. */\n`,
      `export class ${name} extends ApiError {\noverride name = '${name}'\ndeclare readonly code: '${code}'\n}\n`,
    ].join(''),
  )
  return indented(`${head}// A class for each code of an error.
import { ApiError } from '../errors.ts'
import type { Problem } from './types.ts'

${classes.join('\n')}
const byCode: Readonly<Record<string, typeof ApiError>> = {
${named.map(({ code, name }) => `${code}: ${name},\n`).join('')}}

/** The error of a response, in the class of its code. */
export function errorOf(status: number, headers: Headers, problem: Partial<Problem>): ApiError {
const Class = byCode[problem.code ?? ''] ?? ApiError
return new Class(status, headers, problem)
}
`)
}

/** The type of a schema in the client, where the API's types are in \`T\`. */
const inClient = (schema: Schema): string =>
  (typeOf(qualified(schema) as Schema) ?? 'unknown').replaceAll(/^\n|\n$/g, '')

/** A schema whose references name types of `T`. */
function qualified(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(qualified)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) =>
      name === '$ref' && typeof value === 'string'
        ? [name, `#/T.${value.slice(value.lastIndexOf('/') + 1)}`]
        : [name, qualified(value)],
    ),
  )
}

function client({ resources }: Model): string {
  const printed = resources.map((resource) => `${optionsOf(resource)}${classOf(resource)}`)
  const members = resources.map(
    ({ name, description }) => `${comment(description)}readonly ${name}: ${className(name)}\n`,
  )
  const made = resources.map(({ name }) => `this.${name} = new ${className(name)}(core)\n`)
  return indented(`${head}// A class for each resource, with a method for each operation.
import { type BulkResult, bulk } from '../bulk.ts'
import type { Call } from '../call.ts'
import { edit } from '../edit.ts'
import { Follow } from '../follow.ts'
import { type List, listOf } from '../list.ts'
import {
  type ClientOptions,
  Core,
  type RequestOptions,
  segment,
  type TimeBounds,
  type VersionOptions,
  type WriteOptions,
} from '../request.ts'
import type * as T from './types.ts'

class Resource {
protected readonly core: Core
constructor(core: Core) {
this.core = core
}
}

${printed.join('\n')}
/** A client of a Cashwrap service. */
export class Cashwrap {
${members.join('')}
constructor(options: ClientOptions) {
const core = new Core(options)
${made.join('')}}
}
`)
}

/** The class of a resource. Types of records have the names without the ending. */
const className = (resource: string): string => `${capitalised(resource)}Api`

/** The interface of the options of each method that has a query, or members beside its items. */
const optionsOf = (resource: Resource): string =>
  resource.methods
    .filter((method) => ownOptions(method).length > 0)
    .map((method) => {
      const members = ownOptions(method).map(
        ({ name, description, required, schema }) =>
          `${comment(description)}${name}${required ? '' : '?'}: ${queryType(schema)}\n`,
      )
      const title = `${capitalised(resource.name)}${capitalised(method.name)}Options`
      return `/** What \`${resource.name}.${method.name}\` takes. */\nexport interface ${title} extends ${baseOptions(method)} {\n${members.join('')}}\n\n`
    })
    .join('')

interface Option {
  readonly name: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly schema: Schema
}

/** The options of a method besides those of every request. */
function ownOptions({ query, bulk, isStream }: Method): Option[] {
  const beside = Object.entries(bulk?.beside.properties ?? {}).map(([name, schema]) => ({
    ...{ name, description: schema.description, schema },
  }))
  // The cursor of a stream is an argument.
  return [...query.filter(({ name }) => !isStream || name !== 'after'), ...beside]
}

/** The type of a parameter; a time may also be a `Date`. */
function queryType(schema: Schema): string {
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).join() === 'gte,lte,gt,lt') return 'TimeBounds'
  const type = typeOf(schema) ?? 'string'
  return isTime(schema) ? `${type} | Date` : type
}

const isTime = ({ format, anyOf = [] }: Schema & { readonly format?: string }): boolean =>
  format === 'date-time' || anyOf.some(isTime)

function baseOptions({ takesIdempotencyKey, takesIfMatch }: Method): string {
  const base = takesIdempotencyKey ? 'WriteOptions' : 'RequestOptions'
  return takesIfMatch ? `${base}, VersionOptions` : base
}

function classOf(resource: Resource): string {
  const { name, description, methods } = resource
  const printed = methods.map((method) => methodOf(resource, method))
  const [get, update] = ['get', 'update'].map((one) => methods.find((method) => method.name === one))
  if (get && update?.takesIfMatch) printed.push(editOf(get, update))
  return `${comment(description)}export class ${className(name)} extends Resource {\n${printed.join('\n')}}\n`
}

/** What a method takes, and its operation as code. */
function methodOf(resource: Resource, method: Method): string {
  const { name, summary, description, ids, query, body, bulk, list, isStream } = method
  const own = ownOptions(method)
  const type =
    own.length > 0
      ? `${capitalised(resource.name)}${capitalised(name)}Options`
      : baseOptions(method).replace(', ', ' & ')
  const isNeeded = own.some(({ required }) => required)
  const options = isNeeded ? `options: ${type}` : `options?: ${type}`
  const before = ids.map((id) => `${id}: string`)
  const doc = comment([`${summary}.`, ...(description ? [description] : [])].join('\n\n'))
  const operation = operationOf(method)
  const signature = (parameters: readonly string[], result: string) => `${name}(${parameters.join(', ')}): ${result}`

  if (isStream)
    return `${doc}${signature(['cursor?: string | number', options], 'Follow<T.Event>')} {
return new Follow(this.core, ${operation}, cursor, options)
}
`
  if (list)
    return `${doc}${signature([...before, options], `List<${inClient(list.item)}>`)} {
return listOf(this.core, ${operation}, '${list.paging}', options)
}
`
  if (bulk) {
    const beside = Object.keys(bulk.beside.properties ?? {})
    const result = `BulkResult<${inClient(method.result)}['results'][number]>`
    const further = beside.length > 0 ? `, ${JSON.stringify(beside)}` : ''
    return `${doc}${signature([...before, `items: readonly ${inClient(bulk.item)}[]`, options], `Promise<${result}>`)} {
return bulk(this.core, ${operation}, items, options${further})
}
`
  }
  const bodyType = body && inClient(body.schema)
  const isText = body !== undefined && body.contentType !== 'application/json'
  const sent = body
    ? [
        `${isText ? 'text' : 'body'}${body.isOptional ? '?' : ''}: ${isText ? 'string | Uint8Array<ArrayBuffer> | Blob' : bodyType}`,
      ]
    : []
  const parameters = [...before, ...sent, options]
  const argument = body ? (isText ? ', text' : body.isOptional ? ', body ?? {}' : ', body') : ''
  const result = inClient(method.result)
  const csv = query.find((parameter) => parameter.name === 'format' && parameter.schema.enum?.includes('csv'))
  const overloads = csv
    ? [
        `${signature([...before, `options: ${type} & { format: 'csv' }`], 'Call<string>')}\n`,
        `${signature([...before, options], `Call<${result}>`)}\n`,
      ]
    : []
  return `${doc}${overloads.join('')}${signature(parameters, csv ? 'Call<unknown>' : `Call<${result}>`)} {
return this.core.call(${operation}, options${argument})
}
`
}

/** An operation as the core takes it. */
function operationOf({ verb, path, key, takesIdempotencyKey, body, isStream }: Method): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `\${segment(${id})}`)
  const quoted = filled === path ? `'${path}'` : `\`${filled}\``
  const isText = body !== undefined && body.contentType !== 'application/json' && !isStream
  return [
    `{ method: '${verb}', path: ${quoted}`,
    ...(key === 'none' ? [] : [`key: '${key}'`]),
    ...(takesIdempotencyKey ? ['isKeyed: true'] : []),
    ...(isText ? [`contentType: '${body.contentType}'`] : []),
  ]
    .join(', ')
    .concat(' }')
}

function editOf(get: Method, update: Method): string {
  const ids = get.ids.map((id) => `${id}: string`)
  const names = get.ids.map((id) => `${id}, `).join('')
  const [record, change, written] = [get.result, update.body?.schema ?? {}, update.result].map(inClient)
  const results = [...new Set([record, written])].join(' | ')
  const parameters = [
    ...ids,
    `change: (record: ${record}) => ${change} | undefined | Promise<${change} | undefined>`,
    'options?: RequestOptions',
  ]
  return `/** Reads the record, sends the change that is computed from it for that version, and begins again if another writer was faster. */
edit(${parameters.join(', ')}): Promise<${results}> {
return edit(
(own) => this.get(${names}own),
(body: ${change}, own) => this.update(${names}body, own),
change,
options,
)
}
`
}
