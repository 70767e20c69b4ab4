// `npm run api-types`: writes the types of the API, which the console's code imports, from `openapi.json`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The parts of JSON Schema that decide a type; `openapi.json` uses no others. */
interface Schema {
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
const unread = [
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'prefixItems',
  'dependentSchemas',
  '$defs',
  'nullable',
]

/** The type of a schema's values; undefined if it only restricts them further, such as a format. */
function typeOf(schema: Schema): string | undefined {
  const keyword = unread.find((word) => word in schema)
  if (keyword !== undefined) throw new Error(`console/api-types.ts does not read the keyword ${keyword}.`)
  const parts = [ownType(schema), ...(schema.allOf ?? []).map(typeOf), unionOf(schema.anyOf), unionOf(schema.oneOf)]
  const known = parts.filter((part) => part !== undefined)
  return known.length > 1 ? known.map(bracketed).join(' & ') : known[0]
}

/** A union, unless an alternative says nothing about the type. */
function unionOf(schemas: readonly Schema[] = []): string | undefined {
  const types = schemas.map(typeOf)
  return types.length === 0 || types.includes(undefined) ? undefined : [...new Set(types)].join(' | ')
}

function ownType(schema: Schema): string | undefined {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const types = schema.type ?? (schema.properties && 'object')
  return types === undefined
    ? undefined
    : [types]
        .flat()
        .map((type) => namedType(type, schema))
        .join(' | ')
}

function namedType(type: string, schema: Schema): string {
  if (type === 'integer') return 'number'
  if (type === 'array') return `readonly ${bracketed((schema.items && typeOf(schema.items)) ?? 'unknown')}[]`
  return type === 'object' ? objectType(schema) : type
}

function objectType({ properties = {}, required = [], additionalProperties: others }: Schema): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
    return `${comment(member)}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(member) ?? 'unknown'}\n`
  })
  const named = `{\n${members.join('')}}`
  const isClosed = others === false || others === undefined
  if (isClosed && members.length > 0) return named
  const open = `{ readonly [name: string]: ${(typeof others === 'object' && typeOf(others)) || 'unknown'} }`
  return members.length > 0 ? `${named} & ${open}` : open
}

/** In brackets where an operator would otherwise bind to a part of it. */
const bracketed = (type: string): string => (/[|& ]/.test(type) ? `(${type})` : type)

/** The description as a doc comment, which editors show. */
const comment = ({ description }: Schema): string =>
  description === undefined ? '' : `/** ${description.replaceAll('*/', '*\\/')} */\n`

const folder = fileURLToPath(new URL('.', import.meta.url))
const { components } = JSON.parse(readFileSync(join(folder, '../openapi.json'), 'utf8')) as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
const types = Object.entries(components.schemas).map(
  ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema) ?? 'unknown'}\n`,
)

let depth = 0
const indented = types
  .join('\n')
  .split('\n')
  .map((line) => {
    if (line.startsWith('}')) depth--
    const all = line && '  '.repeat(depth) + line
    if (line.endsWith('{')) depth++
    return all
  })
mkdirSync(join(folder, 'generated'), { recursive: true })
writeFileSync(
  join(folder, 'generated/api.d.ts'),
  `// Written from openapi.json by \`npm run api-types\`.\n${indented.join('\n')}`,
)
