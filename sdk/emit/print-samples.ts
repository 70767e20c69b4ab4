// Prints a sample for each method of the SDK, which the reference shows beside curl; its values are the examples of the document.
import { inspect } from 'node:util'
import type { Schema } from '../src/schema-types.ts'
import { anyType, type Method, type Model, type Resource } from './model.ts'

/** What is read of openapi.json: the examples, which openapi.sdk.json has not. */
interface Examples {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Exemplary>> }
}
interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly requestBody?: { readonly content: Content }
}
type Exemplary = Schema & { readonly examples?: readonly unknown[] }
type Content = Readonly<Record<string, { readonly schema: Exemplary; readonly example?: unknown }>>

/** Samples by operation id. */
export function samplesOf({ resources }: Model, examples: Examples): Record<string, string> {
  const samples = Object.fromEntries(
    resources.flatMap((resource) =>
      resource.methods.map((method) => [method.operationId, sampleOf(resource, method, exampleOf(method, examples))]),
    ),
  )
  return { ...samples, ...ofStyleA(samples, examples) }
}

/** Operations of Style A have the sample of the Style B operation that does the same: `createOrderA` that of `createOrder`. */
function ofStyleA(samples: Readonly<Record<string, string>>, { paths }: Examples): Record<string, string> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const twinOf = ({ operationId, tags }: Described) => {
    const name = operationId.replace(/A\d*$/, '')
    const isTwin = (other: Described) => other.tags[0] === tags[0] && /^list[A-Z]/.test(other.operationId)
    const list = name.startsWith('list') && operations.find((other) => isTwin(other) && other.operationId in samples)
    return samples[list ? list.operationId : name]
  }
  return Object.fromEntries(
    operations.flatMap((operation) => {
      const twin = operation.operationId in samples ? undefined : twinOf(operation)
      return twin === undefined ? [] : [[operation.operationId, twin]]
    }),
  )
}

function exampleOf({ path, verb }: Method, { paths, components }: Examples): unknown {
  const [content] = Object.values(paths[path]?.[verb.toLowerCase()]?.requestBody?.content ?? {})
  const name = content?.schema.$ref?.replace('#/components/schemas/', '') ?? ''
  return content?.example ?? content?.schema.examples?.[0] ?? components.schemas[name]?.examples?.[0]
}

/** Values of parameters that are no ids of Cashwrap. */
const known: Readonly<Record<string, string>> = {
  q: 'Ann',
  source: 'woo-commerce',
  externalId: '118',
  tableName: 'loyalty',
}

/** The placeholder for a parameter. */
const standIn = (name: string): string => known[name] ?? (/id$/i.test(name) ? '6740a1f2c3d4e5f6a7b8c9d0' : name)

function sampleOf({ name }: Resource, method: Method, example: unknown): string {
  const { ids, query, bulk, list, isStream, body } = method
  const needed = Object.fromEntries(
    query.filter(({ required }) => required).map((one) => [one.name, standIn(one.name)]),
  )
  const { items = [], ...beside } = bulk ? itemsOf(example) : {}
  const options = { ...needed, ...beside }
  if (body?.contentType === anyType)
    return `const file = await fetch('https://example.com/shelf.png').then((response) => response.blob())\nconst result = await client.${name}.${method.name}(${[...ids.map(standIn).map(literal), 'file'].join(', ')})`
  const values = [
    ...ids.map(standIn),
    ...(isStream ? [0] : []),
    ...(bulk ? [items] : body && !(body.isOptional && example === undefined) ? [example ?? {}] : []),
    ...(Object.keys(options).length > 0 ? [options] : []),
  ]
  const call = `client.${name}.${method.name}(${values.map(literal).join(', ')})`
  if (list || isStream)
    return `for await (const ${list ? 'record' : 'event'} of ${call}) {\n  console.log(${list ? 'record' : 'event'})\n}`
  if (bulk) return `const { summary, failed } = await ${call}`
  return `const result = await ${call}`
}

/** The items of a bulk example, which is a list or has one. */
const itemsOf = (example: unknown): { items?: unknown } =>
  Array.isArray(example) ? { items: example } : ((example ?? {}) as { items?: unknown })

/** A value as JavaScript: on one line where it fits. */
const literal = (value: unknown): string =>
  inspect(value, {
    depth: null,
    breakLength: 60,
    compact: 3,
    maxArrayLength: null,
    maxStringLength: null,
    sorted: false,
  })
