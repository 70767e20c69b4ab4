// What the declaration of a member says about its input.
import type { Schema } from '../api/resources.ts'

/** The properties that all inputs of members have. */
export interface InputProps {
  readonly name: string
  readonly schema: Schema
  readonly value: any
  readonly onChange: (value: any) => void
  /** JSON pointer of the member in the body. */
  readonly pointer: string
  /** Errors from the server, by pointer. */
  readonly errors: ReadonlyMap<string, string>
}

/** The first type of a schema that is not null. */
export const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((one) => one !== 'null')

/** Whether a member needs the full width of a form. */
export function isWide({ name, schema }: { name: string; schema: Schema }): boolean {
  const type = typeOf(schema)
  if (type === 'object' || type === undefined) return true
  if (type === 'array') return typeOf(schema.items ?? {}) !== 'string' || name === 'images'
  return type === 'string' && (schema.maxLength ?? 0) > 500 && (schema.maxLength ?? 0) !== 2048
}

/** Descriptions of open vocabularies list their usual values, which the input already offers. */
export const shortened = (description: string | undefined): string | undefined =>
  description?.startsWith('Usually ') ? undefined : description

/** An object with one member changed; undefined removes it, and an object without members is unset. */
export function withMember(
  value: Record<string, any> | undefined,
  name: string,
  next: unknown,
): Record<string, any> | undefined {
  const { [name]: _, ...others } = value ?? {}
  const made = next === undefined || next === null ? others : { ...others, [name]: next }
  return Object.keys(made).length === 0 ? undefined : made
}
