// Prints the classes of the SDK: one for each resource, with a method for each operation.
import { comment, indented, type Schema, typeOf } from '../src/schema-types.ts'
import { anyType, type Method, type Resource } from './model.ts'
import { capitalised } from './names.ts'

/** The type of a schema in the client, where the API's types are in `T`. */
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

/** The file of the client and its resources. */
export function client(head: string, resources: readonly Resource[]): string {
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
      const members = ownOptions(method).map(({ name, description, required, schema }) => {
        const type = queryType(schema)
        return `${comment(description)}${name}${required ? `: ${type}` : `?: ${type} | undefined`}\n`
      })
      const head = `export interface ${optionsName(resource, method)} extends ${baseOptions(method)}`
      return `/** What \`${resource.name}.${method.name}\` takes. */\n${head} {\n${members.join('')}}\n\n`
    })
    .join('')

const optionsName = (resource: Resource, method: Method): string =>
  `${capitalised(resource.name)}${capitalised(method.name)}Options`

interface Option {
  readonly name: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly schema: Schema
}

/** Names that no parameter may have. */
const ofRequests = new Set(['signal', 'timeoutMs', 'deadlineMs', 'maxRetries', 'headers', 'idempotencyKey', 'ifMatch'])

/** The options of a method besides those of every request. */
function ownOptions(method: Method): Option[] {
  const { query, bulk, isStream } = method
  const beside = Object.entries(bulk?.beside.properties ?? {}).map(([name, schema]) => ({
    name,
    description: schema.description,
    schema,
  }))
  // The cursor of a stream is an argument.
  const own = [...query.filter(({ name }) => !isStream || name !== 'after'), ...beside]
  const taken = own.find(({ name }) => ofRequests.has(name))
  if (taken) throw new Error(`${method.operationId}: ${taken.name} is an option of every request.`)
  return own
}

/** The type of a parameter. A time may also be a `Date`, digits a number, and an array a text with commas. */
function queryType(schema: Schema & { readonly pattern?: string }): string {
  if (schema.type === 'object' && Object.keys(schema.properties ?? {}).join() === 'gte,lte,gt,lt') return 'TimeBounds'
  if (schema.type === 'array') return `string | readonly ${typeOf(schema.items ?? {}) ?? 'string'}[]`
  const type = typeOf(schema) ?? 'string'
  if (isTime(schema)) return `${type} | Date`
  if (schema.pattern?.includes('\\d{')) return `${type} | number`
  return type
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

/** A method in TypeScript. */
interface Printed {
  readonly parameters: readonly string[]
  readonly result: string
  readonly value: string
}

function methodOf(resource: Resource, method: Method): string {
  const { name, summary, description, ids, query, bulk, list, isStream } = method
  const options = optionsParameter(resource, method)
  const before = ids.map((id) => `${id}: string`)
  const print = isStream ? streaming : list ? listing : bulk ? writingMany : calling
  const { parameters, result, value } = print(method, before, options)
  const doc = comment([`${summary}.`, ...(description ? [description] : [])].join('\n\n'))
  const body = ` {\nreturn ${value}\n}\n`
  const hasCsv = query.some((parameter) => parameter.name === 'format' && parameter.schema.enum?.includes('csv'))
  if (!hasCsv) return `${doc}${name}(${parameters.join(', ')}): ${result}${body}`
  const asText = options.replace('options?', 'options').concat(" & { format: 'csv' }")
  return [
    `${doc}${name}(${[...before, asText].join(', ')}): Call<string>\n`,
    `${name}(${parameters.join(', ')}): ${result}\n`,
    `${name}(${parameters.join(', ')}): Call<unknown>${body}`,
  ].join('')
}

/** The last parameter of a method. */
function optionsParameter(resource: Resource, method: Method): string {
  const own = ownOptions(method)
  const type = own.length > 0 ? optionsName(resource, method) : baseOptions(method).replace(', ', ' & ')
  return own.some(({ required }) => required) ? `options: ${type}` : `options?: ${type}`
}

type Print = (method: Method, before: readonly string[], options: string) => Printed

const streaming: Print = (method, _before, options) => ({
  parameters: ['cursor?: string | number', options],
  result: 'Follow<T.Event>',
  value: `new Follow(this.core, ${operationOf(method)}, cursor, options)`,
})

const listing: Print = (method, before, options) => ({
  parameters: [...before, options],
  result: `List<${inClient(method.list?.item ?? {})}>`,
  value: `listOf(this.core, ${operationOf(method)}, '${method.list?.paging}', options)`,
})

function writingMany(method: Method, before: readonly string[], options: string): Printed {
  const { item = {}, beside = {} } = method.bulk ?? {}
  const names = Object.keys(beside.properties ?? {})
  const further = names.length > 0 ? `, ${JSON.stringify(names)}` : ''
  return {
    parameters: [...before, `items: readonly ${inClient({ type: 'array', items: item })}`, options],
    result: `Promise<BulkResult<${inClient(method.result)}['results'][number]>>`,
    value: `bulk(this.core, ${operationOf(method)}, items, options${further})`,
  }
}

function calling(method: Method, before: readonly string[], options: string): Printed {
  const { body, isFile } = method
  const file = body?.contentType === anyType ? 'Blob' : 'string | Uint8Array<ArrayBuffer> | Blob'
  const type = isText(method) ? file : inClient(body?.schema ?? {})
  const sent = body ? [`body${body.isOptional ? '?' : ''}: ${type}`] : []
  const argument = body ? (body.isOptional ? ', body ?? {}' : ', body') : ''
  return {
    parameters: [...before, ...sent, options],
    result: isFile ? 'Call<ReadableStream<Uint8Array>>' : `Call<${inClient(method.result)}>`,
    value: `this.core.call(${operationOf(method)}, options${argument})`,
  }
}

/** Whether the body is a file in place of JSON. */
const isText = ({ body }: Method): boolean => body !== undefined && body.contentType !== 'application/json'

/** An operation as the core takes it. */
function operationOf(method: Method): string {
  const { verb, path, key, takesIdempotencyKey, body } = method
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, id: string) => `\${segment(${id})}`)
  const members = [
    `method: '${verb}', path: ${filled === path ? `'${path}'` : `\`${filled}\``}`,
    ...(key === 'none' ? [] : [`key: '${key}'`]),
    ...(method.bulk?.isGrouped ? ['isGrouped: true'] : []),
    ...(takesIdempotencyKey ? ['isKeyed: true'] : []),
    ...(isText(method) ? [`contentType: '${body?.contentType}'`] : []),
    ...(method.isFile ? ['isFile: true'] : []),
  ]
  return `{ ${members.join(', ')} }`
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
