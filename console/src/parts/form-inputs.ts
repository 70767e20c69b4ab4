// A form over a record with the properties of its inputs, by member name.
import type { ChangeEvent } from 'react'
import { withMember } from './member-shape.ts'
import { sentence } from './messages.ts'
import type { VersionedForm } from './versioned-form.ts'

export type FormWithInputs = ReturnType<typeof withInputs>

export function withInputs(form: VersionedForm) {
  const { set, values } = form.draft
  /** The error of a member, as a sentence. */
  const errorAt = (pointer: string) => sentence(form.errors.get(pointer))

  return {
    ...form,
    values,
    set,
    errorAt,
    /** Properties of a text input. */
    input: (name: string, pointer = `/${name}`) => ({
      value: (values[name] as string | undefined) ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(name, event.currentTarget.value),
      error: errorAt(pointer),
      autoComplete: 'off',
      dir: 'auto' as const,
    }),
    /** The same for a text in a nested object. */
    inner: (object: string, name: string) => ({
      value: (values[object]?.[name] as string | undefined) ?? '',
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set(object, withMember(values[object], name, event.currentTarget.value || undefined)),
      error: errorAt(`/${object}/${name}`),
      autoComplete: 'off',
      dir: 'auto' as const,
    }),
    /** Properties of a select input. */
    choice: (name: string) => ({
      value: (values[name] as string | undefined) ?? null,
      onChange: (value: string | null) => set(name, value ?? undefined),
      error: errorAt(`/${name}`),
    }),
  }
}
