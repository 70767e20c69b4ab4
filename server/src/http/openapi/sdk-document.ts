// The document that client libraries are generated from: the reference without what only people read, each operation once.
import type { JsonSchema } from '../../core/json-schema.ts'
import type { ApiDocument } from './document.ts'

/** What is left out of schemas and operations: text that repeats, and headers that each response has. */
const leftOut = new Set(['example', 'examples', 'headers'])

/** A copy of a part of the document without those members; a property of such a name is kept. */
function trimmed(part: unknown, isProperties = false): unknown {
  if (Array.isArray(part)) return part.map((one) => trimmed(one))
  if (typeof part !== 'object' || part === null) return part
  const kept = Object.entries(part).filter(([name]) => isProperties || !leftOut.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, trimmed(value, name === 'properties' && !isProperties)]))
}

/**
 * The document for generators. `events` are the types of events and the schema of what each is about; they are put beside
 * the schema `Event` as `x-event-types`.
 */
export function sdkDocument({ paths, components, info, ...document }: ApiDocument, events: Record<string, string>) {
  const { Event: event, ...schemas } = components.schemas
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, withOneError(operation)])),
  ])
  const parts = {
    paths: Object.fromEntries(operations),
    components: {
      schemas: { ...schemas, Event: { ...event, 'x-event-types': events } },
      responses: { Problem: problem },
      parameters: components.parameters,
      securitySchemes: components.securitySchemes,
    },
  }
  return {
    ...document,
    info: { ...info, description: 'For generators of client libraries.' },
    ...(trimmed(parts) as typeof parts),
  }
}

/** All errors have the same shape, so an operation lists its successes, and one response for the rest. */
function withOneError(operation: object): object {
  const { responses } = operation as { readonly responses: Readonly<Record<string, JsonSchema>> }
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return {
    ...operation,
    responses: { ...Object.fromEntries(successes), default: { $ref: '#/components/responses/Problem' } },
  }
}

const problem = {
  description: 'An error.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}
