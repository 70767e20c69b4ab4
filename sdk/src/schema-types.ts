// Prints a JSON Schema as a TypeScript type: for the emitter, and for `cashwrap-types` in a user's project.

/** The parts of JSON Schema that decide a type; the API's documents use no others. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly description?: string
}

/** Keywords that would change a type, but that this file does not read. */
const unread = ['not', 'if', 'patternProperties', 'prefixItems', 'dependentSchemas', '$defs', 'nullable']

/** The type of a schema's values; undefined if the schema only restricts them further, such as a format. */
export function typeOf(schema: Schema): string | undefined {
  const keyword = unread.find((word) => word in schema)
  if (keyword !== undefined) throw new Error(`The keyword ${keyword} is not read.`)
  const parts = [
    ...(schema.allOf ?? []).map(typeOf),
    ownType(schema),
    unionOf(schema.anyOf),
    unionOf(schema.oneOf),
    requiredOf(schema),
  ]
  const known = parts.filter((part) => part !== undefined)
  return known.length > 1 ? known.map(bracketed).join(' & ') : known[0]
}

/** A union, unless an alternative says nothing about the type. */
function unionOf(schemas: readonly Schema[] = []): string | undefined {
  const types = schemas.map(typeOf)
  return types.length === 0 || types.includes(undefined) ? undefined : [...new Set(types)].join(' | ')
}

/** Members that the schema requires of the shapes that it extends. */
function requiredOf({ allOf = [], properties = {}, required = [] }: Schema): string | undefined {
  const further = required.filter((name) => !(name in properties))
  if (allOf.length === 0 || further.length === 0) return undefined
  const names = further.map(literal).join(' | ')
  return `{ [Name in ${names}]: Exclude<${bracketed(allOf.map(typeOf).join(' & '))}[Name], undefined> }`
}

/** A value as a type; texts in single quotes. */
const literal = (value: unknown): string =>
  typeof value === 'string' && !/['\\\\\n]/.test(value) ? `'${value}'` : JSON.stringify(value)

function ownType(schema: Schema): string | undefined {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
  const types = schema.type ?? (schema.properties && 'object')
  if (types === undefined) return undefined
  return [types]
    .flat()
    .map((type) => namedType(type, schema))
    .join(' | ')
}

function namedType(type: string, schema: Schema): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `${bracketed((schema.items && typeOf(schema.items)) ?? 'unknown')}[]`
  return type === 'object' ? objectType(schema) : type
}

/** An object type; in braces alone if no other member is allowed. */
function objectType(schema: Schema): string {
  const { properties = {}, additionalProperties: others } = schema
  const members = membersOf(schema)
  const hasMembers = Object.keys(properties).length > 0
  if ((others === false || others === undefined) && hasMembers) return `{\n${members}}`
  const open = `{ [name: string]: ${(typeof others === 'object' && typeOf(others)) || 'unknown'} }`
  return hasMembers ? `{\n${members}} & ${open}` : open
}

/**
 * The members of an object type, a line each below its description. An optional one may be undefined, with
 * `exactOptionalPropertyTypes` too: JSON leaves it out.
 */
export function membersOf({ properties = {}, required = [] }: Schema): string {
  const lines = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
    const type = typeOf(member) ?? 'unknown'
    return `${comment(member.description)}${key}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`}\n`
  })
  return lines.join('')
}

/** In brackets where an operator would otherwise bind to a part of it. */
const bracketed = (type: string): string => (/[|& ]/.test(type) ? `(${type})` : type)

/** A description as a doc comment, which editors show. */
export function comment(description: string | undefined): string {
  if (description === undefined) return ''
  const lines = description.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

/** Lines with the indentation that their braces give them. */
export function indented(text: string): string {
  let depth = 0
  return text
    .split('\n')
    .map((line) => {
      if (/^[})\]]/.test(line)) depth--
      const all = line && '  '.repeat(Math.max(depth, 0)) + line
      if (/[{([]$/.test(line) && !line.startsWith(' *') && !line.startsWith('/**')) depth++
      return all
    })
    .join('\n')
}
