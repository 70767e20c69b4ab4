// Overlays some routes on the document of all routes, so that a company's document costs only what its own routes cost.
import type { JsonSchema } from '../../core/json-schema.ts'
import { type ApiDocument, byName } from './document.ts'

/**
 * Makes a function that overlays the operations and schemas of another document on `plain`. It throws when that
 * document has an operation that `plain` lacks, or when it changes a schema to which other operations refer.
 */
export function overlay(plain: ApiDocument): (own: ApiDocument) => ApiDocument {
  const usersOf = users(plain)
  const known = new Set(operationsOf(plain).map(([name]) => name))
  return (own) => {
    const replaced = new Set(operationsOf(own).map(([name]) => name))
    for (const name of replaced) if (!known.has(name)) throw new Error(`The document has no operation ${name}.`)
    const schemas = Object.entries(own.components.schemas).filter(
      ([name, schema]) => shapeOf(schema) !== shapeOf(plain.components.schemas[name]),
    )
    for (const [name] of schemas)
      for (const user of usersOf.get(name) ?? [])
        if (!replaced.has(user)) throw new Error(`The schema ${name} would be another for ${user} too.`)
    const paths = Object.entries(own.paths).map(([path, methods]) => [path, { ...plain.paths[path], ...methods }])
    return {
      ...plain,
      paths: { ...plain.paths, ...Object.fromEntries(paths) },
      components: {
        ...plain.components,
        schemas: byName({ ...plain.components.schemas, ...Object.fromEntries(schemas) }),
        // Those of `own` describe only its own routes.
        responses: { ...own.components.responses, ...plain.components.responses },
      },
    }
  }
}

/** A schema without its example, which depends on the routes that a document has. */
const shapeOf = ({ examples, ...shape }: JsonSchema = {}): string => JSON.stringify(shape)

/** Each operation by method and path. */
const operationsOf = ({ paths }: ApiDocument): [name: string, operation: object][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, object] => [`${method} ${path}`, operation]),
  )

/** What refers to each schema, directly or through others: operations and shared responses. */
function users(document: ApiDocument): ReadonlyMap<string, ReadonlySet<string>> {
  const { schemas, responses } = document.components
  const inSchemas = new Map(Object.entries(schemas).map(([name, schema]) => [name, referred(schema)]))
  const found = new Map(Object.keys(schemas).map((name) => [name, new Set<string>()]))
  function use(user: string, names: readonly string[]): void {
    for (const name of names) {
      const known = found.get(name)
      if (known === undefined || known.has(user)) continue
      known.add(user)
      use(user, inSchemas.get(name) ?? [])
    }
  }
  for (const [name, part] of [...operationsOf(document), ...Object.entries(responses)]) use(name, referred(part))
  return found
}

/** The names of the schemas that something refers to. */
const referred = (part: object): string[] =>
  Array.from(JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g), ([, name]) => name as string)
