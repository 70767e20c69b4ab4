// Extracts named schemas, so that the document has each once and refers to it.
import { type JsonSchema, shapeDescription } from '../../core/json-schema.ts'

/** Returns the schema with each part that has a title replaced by a reference. */
export type Hoist = (schema: JsonSchema) => JsonSchema

// Keywords that hold a schema, several, or several by name; the values of other keywords are no schemas, even if they look like one.
const one = new Set(['items', 'additionalProperties'])
const several = new Set(['allOf', 'anyOf', 'oneOf'])
const byName = new Set(['properties'])

/** Makes a Hoist that collects the schemas in `components`, by title. Throws when two different ones have the same title. */
export function hoister(components: Record<string, JsonSchema>): Hoist {
  const inside = (keyword: string, value: any): unknown => {
    if (one.has(keyword)) return typeof value === 'object' ? hoist(value) : value
    if (several.has(keyword)) return value.map(hoist)
    if (byName.has(keyword)) return mapValues(value, (_, schema) => property(schema as JsonSchema))
    return value
  }
  // Readers and code generators look for the description at the member, not behind its reference.
  function property(schema: JsonSchema): JsonSchema {
    const hoisted = hoist(schema)
    return hoisted.$ref === undefined || schema.description === undefined
      ? hoisted
      : { ...hoisted, description: schema.description }
  }
  function hoist(schema: JsonSchema): JsonSchema {
    const whole = sized(mapValues(schema, inside) as JsonSchema)
    if (typeof whole.title !== 'string') return whole
    // Each use of a schema says whether further members are allowed, so that another schema can add to it.
    const { title, unevaluatedProperties, [shapeDescription]: description = whole.description, ...members } = whole
    const untitled = { ...members, ...(description !== undefined && { description }) }
    const known = components[title]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(untitled))
      throw new Error(`Two different schemas have the title ${title}.`)
    components[title] = untitled
    return { $ref: `#/components/schemas/${title}`, ...(unevaluatedProperties === false && { unevaluatedProperties }) }
  }
  return hoist
}

/** Says how large whole numbers can be, for programs in languages with integers of 32 and 64 bits. */
function sized(schema: JsonSchema): JsonSchema {
  if (![schema.type].flat().includes('integer')) return schema
  const { maximum = Number.MAX_SAFE_INTEGER } = schema as { readonly maximum?: number }
  return { format: maximum < 2 ** 31 ? 'int32' : 'int64', ...schema }
}

const mapValues = (object: object, change: (name: string, value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]))
