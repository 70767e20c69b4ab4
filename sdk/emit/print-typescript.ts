// Prints the model as the TypeScript of `sdk/src/generated`.
import { extended } from '../src/company-types.ts'
import { comment, indented, membersOf, typeOf } from '../src/schema-types.ts'
import type { Model } from './model.ts'
import { capitalised } from './names.ts'
import { client } from './print-client.ts'

const head = '// Written by `npm run sdk` from openapi.sdk.json.\n'

/** The files by name. */
export const files = (model: Model): Readonly<Record<string, string>> => ({
  'types.ts': types(model),
  'columns.ts': columns(),
  'events.ts': events(model),
  'errors.ts': errors(model),
  'client.ts': client(head, model.resources),
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
