// Declares a request body that belongs to no resource: its members check it, convert it and document it.

import type { JsonSchema } from '../core/json-schema.ts'
import { orThrow } from '../core/problem.ts'
import type { Call } from '../http/route.ts'
import type { Fields, Members } from './field.ts'
import { bodySchema } from './schema.ts'

/** A body: how it is read, and how a route documents it. `N` are its required members, `O` its optional ones. */
interface Body<N extends Fields, O extends Fields> {
  /** Its members, checked. Throws 400. */
  read(value: unknown): Required<Members<N>> & Members<O>
  /** The members that were sent as `null`. */
  cleared(value: unknown): readonly string[]
  readonly document: { readonly schema: JsonSchema; readonly example: unknown }
}

/** Declares a body. `null` clears the members that `clearable` names. */
export function body<N extends Fields, O extends Fields>(
  title: string,
  needed: N,
  optional: O,
  example: unknown,
  clearable: readonly (keyof O)[] = [],
): Body<N, O> {
  const all = Object.entries({ ...needed, ...optional })
  const fields = Object.fromEntries(all.map(([name, field]) => [name, { ...field, required: name in needed }]))
  const { create } = bodySchema({ fields, requireOneOf: [] })
  const names = Object.keys(needed)
  return {
    read: (value) => orThrow(create(value)).set as Required<Members<N>> & Members<O>,
    cleared: (value) => orThrow(create(value)).clear,
    document: {
      schema: {
        title,
        type: 'object',
        properties: Object.fromEntries(
          all.map(([name, { schema }]) => [
            name,
            clearable.includes(name) ? { ...schema, type: [schema.type, 'null'] } : schema,
          ]),
        ),
        ...(names.length > 0 && { required: names }),
        unevaluatedProperties: false,
      },
      example,
    },
  }
}

const readNothing = bodySchema({ fields: {}, requireOneOf: [] }).create

/** Throws 400 for a non-empty body of a route that takes none. */
export const mustBeEmpty = ({ body }: Pick<Call, 'body'>) => void orThrow(readNothing(body ?? {}))
