// The columns of a view for people who write SQL: members of a record under their names in snake_case, each with a type of PostgreSQL.
import { decimalPattern, type JsonSchema, shapeDescription } from '../../core/json-schema.ts'
import { companyOfLogin } from '../../database/sql-readers.ts'
import { memberColumns } from '../../engine/columns.ts'
import { isLongText } from '../../engine/field.ts'
import { type Resource, snakeCase } from '../../engine/resource.ts'

/** A column of a view. */
export interface ViewColumn {
  readonly name: string
  /** SQL of its value. */
  readonly value: string
  /** What the reference says of the member. */
  readonly description: string | undefined
}

/** A list of objects in a record, which is a view of its own. */
interface NestedList {
  readonly member: string
  readonly item: JsonSchema
  readonly description: string | undefined
}

/** A member as SQL: its text, and its JSON. */
interface MemberSource {
  readonly text: string
  readonly json: string
}

const propertiesOf = ({ properties }: JsonSchema) => Object.entries((properties ?? {}) as Record<string, JsonSchema>)
const itemOf = ({ type, items }: JsonSchema): JsonSchema | undefined =>
  type === 'array' ? (items as JsonSchema) : undefined
const isTexts = (schema: JsonSchema): boolean => itemOf(schema)?.type === 'string'
const isObjects = (schema: JsonSchema): boolean => propertiesOf(itemOf(schema) ?? {}).length > 0

/** A canonical time; PostgreSQL has no year 0, which the API accepts. */
const timeOf = (text: string): string => `case when (${text}) collate "C" >= '0001' then (${text})::timestamptz end`

/** JSON that is an array; null otherwise. */
const arrayOf = (json: string): string => `case when json_typeof(${json}) = 'array' then ${json} end`

/**
 * SQL of a member's value, by its type on the wire. Decimals and numbers are exact. The casts rely on the checks of
 * writes: every stored record, including imported ones, has passed the schema of its members. A schema must therefore
 * never become stricter than the existing records.
 */
function sqlOf(schema: JsonSchema, { text, json }: MemberSource): string {
  const { type, format, pattern } = schema
  if (isTexts(schema)) return `array(select json_array_elements_text(${arrayOf(json)}))`
  if (type === 'boolean') return `(${text})::boolean`
  if (type === 'integer') return `(${text})::bigint`
  if (type === 'number' || pattern === decimalPattern) return `(${text})::numeric`
  if (type !== 'string') return `(${json})::jsonb`
  return format === 'date-time' ? timeOf(text) : text
}

/** The columns of the object in `json`, and those of objects in it, which begin with the name of the object. */
function nestedColumns(schema: JsonSchema, json: string, path: readonly string[] = []): ViewColumn[] {
  return propertiesOf(schema).flatMap(([member, of]) => {
    const own = [...path, member]
    if (propertiesOf(of).length > 0) return nestedColumns(of, json, own)
    const at = `'{${own.join(',')}}'`
    const value = sqlOf(of, { text: `${json} #>> ${at}`, json: `${json} #> ${at}` })
    return { name: own.map(snakeCase).join('_'), value, description: descriptionOf(of) }
  })
}

const descriptionOf = (schema: JsonSchema): string | undefined =>
  (schema.description ?? schema[shapeDescription]) as string | undefined

/** SQL of the members that the table has in columns of their own, which cost less than the record's text. */
function storedValues(resource: Resource): ReadonlyMap<string, string> {
  const { fields, list, moment } = resource
  const values = new Map<string, string>([
    ['id', 'stored.id'],
    // A value without statistics: estimates for a condition on the column itself would be those of any company.
    ['companyId', companyOfLogin],
    ['isDeleted', 'stored.is_deleted'],
  ])
  for (const { member, column } of memberColumns(resource)) {
    const stored = `stored.${column}`
    const { comparison, schema } = fields[member] ?? {}
    // An unset time of a list is an empty text, that of the moment null.
    if (schema?.format === 'date-time') values.set(member, timeOf(stored))
    else if (list.any.includes(member)) values.set(member, `array(select jsonb_array_elements_text(${stored}))`)
    else if (comparison === 'number') values.set(member, `nullif(${stored}::numeric, '-Infinity')`)
    else if (!isLongText(fields[member]) && member !== moment && !values.has(member))
      values.set(member, `nullif(${stored}, '')`)
  }
  return values
}

/** The columns of a resource's view over the row `stored`: its own members, and those of objects in them. */
export function columnsOf(resource: Resource): ViewColumn[] {
  const { fields, projection } = resource
  const stored = storedValues(resource)
  const first = ['id', 'companyId'].filter((member) => fields[member])
  const last = ['createdAt', 'updatedAt'].filter((member) => fields[member])
  const projected = Object.keys(projection?.fields ?? {})
  const own = Object.keys(fields).filter((member) => ![...first, ...last, ...projected].includes(member))
  return [...first, ...own, ...last].flatMap((member): ViewColumn[] => {
    const schema = fields[member]?.schema ?? {}
    if (isObjects(schema)) return []
    if (propertiesOf(schema).length > 0) return nestedColumns(schema, 'stored.body', [member])
    const at = `'${member}'`
    const value = stored.get(member) ?? sqlOf(schema, { text: `stored.body ->> ${at}`, json: `stored.body -> ${at}` })
    return [{ name: snakeCase(member), value, description: descriptionOf(schema) }]
  })
}

/** The lists of objects in a resource's records. */
export const nestedLists = ({ fields, projection }: Resource): NestedList[] =>
  Object.entries(fields).flatMap(([member, { schema }]) =>
    isObjects(schema) && !projection?.fields[member]
      ? { member, item: itemOf(schema) as JsonSchema, description: descriptionOf(schema) }
      : [],
  )

/** The columns of a nested list's view: the record, the position in its list, and the members of the item. */
export const itemColumns = ({ name }: Resource, { item }: NestedList): ViewColumn[] => [
  { name: `${snakeCase(name.one)}_id`, value: 'stored.id', description: `The ${name.one} that the list belongs to.` },
  { name: 'item_index', value: '(item.number - 1)::integer', description: 'The position in the list, from 0.' },
  ...nestedColumns(item, 'item.value'),
]

/** The items of a nested list, as rows `item`. */
export const itemsOf = ({ member }: NestedList): string =>
  `json_array_elements(${arrayOf(`stored.body -> '${member}'`)}) with ordinality as item(value, number)`
