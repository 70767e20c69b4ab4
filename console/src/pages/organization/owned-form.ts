// A form for one of an organization's records, with its inputs by member name.
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ownedQuery, readOwned, useOrganizationId, writeOwned } from '../../api/organization.ts'
import type { Versioned } from '../../api/records.ts'
import type { Values } from '../../parts/draft.ts'
import { withInputs } from '../../parts/form-inputs.ts'
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
    versioned,
    members: declared,
    initial,
    onSaved,
    onDirty,
    said,
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
  return withInputs(form)
}
