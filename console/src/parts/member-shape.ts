// What the declaration of a member says of how it is typed in.
import type { Schema } from '../api/resources.ts'

/** The first type of a schema that is not null. */
export const typeOf = ({ type }: Schema): string | undefined =>
  typeof type === 'string' ? type : type?.find((one) => one !== 'null')

/** Whether a member wants the whole width of a form. */
export function isWide({ name, schema }: { name: string; schema: Schema }): boolean {
  const type = typeOf(schema)
  if (type === 'object' || type === undefined) return true
  if (type === 'array') return typeOf(schema.items ?? {}) !== 'string' || name === 'images'
  return type === 'string' && (schema.maxLength ?? 0) > 500 && (schema.maxLength ?? 0) !== 2048
}

/** Descriptions of open vocabularies list their usual words, which the input offers by itself. */
export const shortened = (description: string | undefined): string | undefined =>
  description?.startsWith('Usually ') ? undefined : description

/** An object with one member changed; undefined takes it away, and an object without members is unset itself. */
export function withMember(
  value: Record<string, any> | undefined,
  name: string,
  next: unknown,
): Record<string, any> | undefined {
  const { [name]: _, ...others } = value ?? {}
  const made = next === undefined || next === null ? others : { ...others, [name]: next }
  return Object.keys(made).length === 0 ? undefined : made
}
