// JSON Schemas as values, and the patterns that the checker and the reference know by name.

/** A JSON Schema 2020-12, as OpenAPI 3.1 and Ajv read it. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** Schemas by name: of members, parameters, or components. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

export const decimalPattern = '^-?\\d{1,15}(\\.\\d{1,6})?$'

/** A currency code as requests may send it. */
export const anyCaseCurrency = '^[A-Za-z]{3}$'

/** An id of ours, as `core/ids.ts` makes it. */
export const idPattern = '^[0-9a-f]{24}$'

/** A name for URLs, such as that of a custom table. */
export const slugPattern = '^[a-z0-9]+(-[a-z0-9]+)*$'

/** The name of a custom event, which follows `custom.` in its type. */
export const eventNamePattern = '^[a-z0-9._-]+$'

/** The name of a column, which people may write in any script. */
export const columnNamePattern = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'

/** A place in the feed: a cursor, which is the sequence of an event, or its end. */
export const placePattern = '^(\\d{1,15}|latest)$'

/**
 * The keyword with the description of a titled schema that several members share; `description` is that of the member.
 * Descriptions differ by member, while the reference has the shared schema once.
 */
export const shapeDescription = 'x-shape-description'

/** Members of responses as the reference describes them. */
const member =
  (type: JsonSchema) =>
  (description: string, example?: unknown): JsonSchema => ({
    ...type,
    description,
    ...(example !== undefined && { examples: [example] }),
  })
export const string = member({ type: 'string' })
export const boolean = member({ type: 'boolean' })
export const time = member({ type: 'string', format: 'date-time' })

/** An object in which `needed` are always present. */
export const object = (
  title: string | undefined,
  properties: Readonly<Record<string, JsonSchema>>,
  needed: readonly string[] = Object.keys(properties),
): JsonSchema => ({ ...(title !== undefined && { title }), type: 'object', properties, required: needed })

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/**
 * The request form of a schema: a date-time can also be a bare date, meaning midnight UTC (decisions §1). Each choice
 * says its type, because some generators take a choice without a type as any value.
 */
export function withBareDate(schema: JsonSchema): JsonSchema {
  const { format, properties, items, ...rest } = schema
  if (format === 'date-time') {
    const { type, ...others } = rest
    return { ...others, anyOf: [format, 'date'].map((one) => ({ type, format: one })) }
  }
  return {
    ...schema,
    ...(items !== undefined && { items: withBareDate(items as JsonSchema) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([member, of]) => [
          member,
          withBareDate(of),
        ]),
      ),
    }),
  }
}
