// Bodies of the console's requests: their declared members, checked, and as the reference shows them.

import type { JsonSchema } from '../../core/json-schema.ts'
import { bodyError, invalid } from '../../core/problem.ts'
import type { Field, Fields, Members } from '../../engine/field.ts'
import { email, name, text } from '../../engine/field.ts'
import { bodySchema, checked } from '../../engine/schema.ts'

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
    read: (value) => checked(create(value)).set as Required<Members<N>> & Members<O>,
    cleared: (value) => checked(create(value)).clear,
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

/** The name of a person. */
export const personName = (): Field<string> => {
  const field = name({ description: 'The name of the person.' })
  return { ...field, schema: { ...field.schema, pattern: '\\S' } }
}

/** The address a user signs in with. */
export const personEmail = (): Field<string> => {
  const field = email()
  return {
    ...field,
    schema: { ...field.schema, description: 'The address the person signs in with; no mail is sent to it.' },
  }
}

/** A typed password; passwords.ts checks whether a new one is acceptable. */
export const typedPassword = (description?: string): Field<string> =>
  text({ max: 1_000, ...(description !== undefined && { description }) })

/** A 400 that names a password, and never shows it. */
export const wrongPassword = (pointer: string, code: string, message: string) =>
  invalid([bodyError(pointer, code, message)])
