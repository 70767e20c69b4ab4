// Gives each named schema an example. They come from the examples of requests and responses; each schema describes a part of one.
import type { JsonSchema, JsonSchemas } from '../../core/json-schema.ts'

/** A request or response body. */
export interface Shape {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly contentType?: string
}

/** Makes the content of a request or response, by its type. */
export type MakeContent = (shape: Shape) => Readonly<Record<string, Content>>

/** A Media Type Object. */
export interface Content {
  readonly schema: JsonSchema
  example?: unknown
}

type Values = Readonly<Record<string, unknown>>

/**
 * Adds an example to each schema: the first value that the examples of `contents` have for it, preferably without an
 * empty list; otherwise one that is made from the examples of its members, if these suffice. A schema that declares
 * several keeps them. Removes an example from `contents` if the schema now shows the same.
 */
export function addExamples(schemas: Record<string, JsonSchema>, contents: readonly Content[]): void {
  const found = new Map<string, unknown>()
  for (const { schema, example } of contents) if (example !== undefined) collect(schema, example, schemas, found)
  for (const [name, { examples }] of Object.entries(schemas)) {
    if (Array.isArray(examples)) continue
    const value = found.has(name) ? found.get(name) : made(schemas[name] as JsonSchema, schemas)
    if (value !== undefined) schemas[name] = { ...schemas[name], examples: [value] }
  }
  for (const content of contents) {
    const name = nameIn(content.schema)
    if (name !== undefined && JSON.stringify(found.get(name)) === JSON.stringify(content.example))
      delete content.example
  }
}

const hasEmptyList = (value: unknown): boolean => /:\[\]/.test(JSON.stringify(value))

/** The name of the schema that `$ref` refers to. */
const nameIn = ({ $ref }: JsonSchema): string | undefined =>
  $ref === undefined ? undefined : String($ref).replace('#/components/schemas/', '')

/** Collects the parts of a value by the names of the schemas that describe them; the first one of a name is kept that has no empty list. */
function collect(schema: JsonSchema, value: unknown, schemas: JsonSchemas, found: Map<string, unknown>): void {
  const into = (part: unknown, inner: unknown) => collect(part as JsonSchema, inner, schemas, found)
  const name = nameIn(schema)
  if (name !== undefined) {
    if (!found.has(name) || (hasEmptyList(found.get(name)) && !hasEmptyList(value))) found.set(name, value)
    into(schemas[name], value)
  }
  const { items, properties = {}, additionalProperties, allOf = [], anyOf = [], oneOf = [] } = schema as any
  if (Array.isArray(value)) for (const item of value) into(items ?? {}, item)
  else if (isObject(value))
    for (const [member, inner] of Object.entries(value)) into(properties[member] ?? (additionalProperties || {}), inner)
  for (const part of allOf) into(part, isObject(value) ? onlyOf(part, value, schemas) : value)
  for (const choices of [anyOf, oneOf]) {
    const choice = choices.find((one: JsonSchema) => fits(one, value, schemas))
    if (choice) into(choice, value)
  }
}

/**
 * An example made from those of a schema's members, without members that have none; undefined if a required member has
 * none.
 */
function made(schema: JsonSchema, schemas: JsonSchemas): unknown {
  const { examples, enum: words, const: only, type, minimum, items, properties, required = [], anyOf } = schema as any
  const name = nameIn(schema)
  if (name !== undefined) return made(schemas[name] as JsonSchema, schemas)
  const given = [...(examples ?? []), only, ...(words ?? []), minimum].find((value) => value !== undefined)
  if (given !== undefined) return given
  if (type === 'boolean') return true
  if (items) return listOf(made(items, schemas))
  if (anyOf) return made(anyOf[0], schemas)
  if (!properties) return undefined
  const members = Object.entries<JsonSchema>(properties)
    .map(([member, of]) => [member, made(of, schemas)] as const)
    .filter(([, value]) => value !== undefined)
  const example = Object.fromEntries(members)
  return members.length === 0 || required.some((member: string) => !Object.hasOwn(example, member))
    ? undefined
    : example
}

const listOf = (item: unknown): unknown => (item === undefined ? undefined : [item])

/** The members of a value that a part of its schema names. */
function onlyOf(part: JsonSchema, value: Values, schemas: JsonSchemas): Values {
  const { properties = {} } = schemas[nameIn(part) ?? ''] ?? part
  return Object.fromEntries(Object.entries(value).filter(([member]) => Object.hasOwn(properties as object, member)))
}

/** Whether a value can be meant by one of several schemas: by its type, its constants, and its required members. */
function fits(schema: JsonSchema, value: unknown, schemas: JsonSchemas): boolean {
  const name = nameIn(schema)
  if (name !== undefined) return fits(schemas[name] as JsonSchema, value, schemas)
  const { type, const: only, required = [], properties = {}, anyOf, oneOf } = schema as any
  if (only !== undefined && only !== value) return false
  if (type !== undefined && ![type].flat().includes(typeOf(value))) return false
  if ([anyOf, oneOf].some((choices) => choices && !choices.some((one: JsonSchema) => fits(one, value, schemas))))
    return false
  if (!isObject(value)) return true
  if (required.some((member: string) => !Object.hasOwn(value, member))) return false
  return Object.entries<JsonSchema>(properties).every(
    ([member, { const: only }]) => only === undefined || !Object.hasOwn(value, member) || value[member] === only,
  )
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
