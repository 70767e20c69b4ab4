// What the declaration of a member says about its input.

import type { Schema } from '../api/resources.ts'
import { language } from '../language.ts'

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
  /** A text below the input instead of the declared description. */
  readonly hint?: string | undefined
}

export interface MemberInputProps extends InputProps {
  readonly isRequired?: boolean
  readonly isSecret?: boolean
  readonly isReadOnly?: boolean
  readonly label?: string
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

/** Members whose names do not say enough to fill in a form, so that their descriptions are shown below the inputs. */
const explained: ReadonlySet<string> = new Set(['allowBackorder', 'externalId', 'manageStock', 'signature'])

/**
 * The description below an input. All other descriptions are tooltips of labels, to keep forms short. They come from the API's
 * reference, in English, and are not shown between texts of another language.
 */
export const helpOf = ({ name, schema, hint }: Pick<InputProps, 'name' | 'schema' | 'hint'>): string | undefined =>
  hint ?? (explained.has(name) && language === 'en' ? schema.description : undefined)

/** A column may have the name of a member with a special meaning, so its input has a name of its own. */
export const columnPrefix = 'column '

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
