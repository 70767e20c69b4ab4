// A form for one of an organization's records, with its inputs by member name.
import { useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useMemo } from 'react'
import { ownedQuery, readOwned, useOrganizationId, writeOwned } from '../../api/organization.ts'
import type { Versioned } from '../../api/records.ts'
import type { Values } from '../../parts/draft.ts'
import { withMember } from '../../parts/member-shape.ts'
import { sentence } from '../../parts/messages.ts'
import { useVersionedForm } from '../../parts/versioned-form.ts'

interface OwnedFormOptions {
  /** The path to create a record and, given its id, the path to change it: `plans`, `plans/{id}`. */
  readonly path: (id?: string) => string
  /** The record that was read; without it, the form creates one. */
  readonly versioned?: Versioned | undefined
  /** Names of all members that the form shows. */
  readonly members: readonly string[]
  readonly initial?: Values
  /** Members as they are sent, if they are held differently in the form. */
  readonly toBody?: (body: Values) => Values
  readonly onSaved?: (saved: Versioned) => void
  /** Called with whether closing the form would lose something typed. */
  readonly onDirty?: (isDirty: boolean) => void
  /** The notice after saving. */
  readonly said?: string
}

export type OwnedForm = ReturnType<typeof useOwnedForm>

/** The paths of one kind of records. */
export const pathsOf =
  (many: string) =>
  (id?: string): string =>
    id === undefined ? many : `${many}/${id}`

export function useOwnedForm({ path, versioned, members, initial, toBody, onSaved, onDirty, said }: OwnedFormOptions) {
  const organizationId = useOrganizationId()
  const client = useQueryClient()
  const declared = useMemo(() => members.map((name) => ({ name, schema: {} })), [members])
  const form = useVersionedForm({
    ...{ versioned, members: declared, initial, onSaved, onDirty, said },
    read: (id) => readOwned(organizationId, path(id)),
    write: async (values, over, key) => {
      const at = path(over?.record.id)
      const body = toBody?.(values) ?? values
      const saved = await writeOwned(organizationId, at, {
        body,
        ...(over === undefined ? { method: 'POST', key } : { method: 'PATCH', etag: over.etag }),
      })
      if (over !== undefined) client.setQueryData(ownedQuery(organizationId, at).queryKey, saved)
      void client.invalidateQueries({ queryKey: [organizationId] })
      return saved
    },
  })
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
