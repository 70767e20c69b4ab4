// The path and query of a request as the log of keys shows them: a value that may name a person is replaced by a
// placeholder.
import { isId } from '../../core/ids.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { KeyRequest } from '../../http/request-note.ts'

/** Characters of a query that is shown. */
const QUERY_CHARACTERS = 500

/** The path with its ids and the query with values that cannot name a person; `{name}` stands for all others. */
export function maskedPath({ url, route }: Pick<KeyRequest, 'url' | 'route'>): string {
  const [path = '', query] = url === undefined ? [route.path] : split(url)
  const sent = path.split('/')
  const shown = route.path
    .split('/')
    .map((segment, at) => (segment.startsWith('{') && isId(sent[at] ?? '') ? sent[at] : segment))
    .join('/')
  if (query === undefined || query === '') return shown
  return `${shown}?${maskedQuery(query, route.query ?? {})}`.slice(0, shown.length + QUERY_CHARACTERS)
}

const split = (url: string): [string, string?] => {
  const at = url.indexOf('?')
  return at === -1 ? [url] : [url.slice(0, at), url.slice(at + 1)]
}

/** A name that the route does not know may be anything, so it is left out as a whole. */
function maskedQuery(query: string, schemas: Readonly<Record<string, JsonSchema>>): string {
  const parts = query.split('&').map((part) => {
    const at = part.indexOf('=')
    const name = decoded(at === -1 ? part : part.slice(0, at))
    const value = at === -1 ? '' : part.slice(at + 1)
    const [, whole = name, bound] = /^(\w+)\[(gte|gt|lte|lt)\]$/.exec(name) ?? []
    if (!Object.hasOwn(schemas, whole)) return '…'
    return `${name}=${isHarmless(value, schemas[whole] as JsonSchema, bound) ? value : `{${whole}}`}`
  })
  return [...new Set(parts)].join('&')
}

/** Ids, numbers, switches, and words that the route itself names. */
function isHarmless(value: string, schema: JsonSchema, bound: string | undefined): boolean {
  if (value.split(',').every(isId)) return true
  if (bound !== undefined) return false
  if (schema.type === 'integer') return /^\d{1,7}$/.test(value)
  if (schema.type === 'boolean') return value === 'true' || value === 'false'
  return Array.isArray(schema.enum) && schema.enum.includes(value)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
