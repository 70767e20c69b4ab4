// The name and description of a table, and its deletion, confirmed by typing its name.
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import type { CustomTable, CustomTableField } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { sentence } from '../../parts/messages.ts'
import { notify } from '../../parts/notices.ts'
import { ReadFact } from '../../parts/ReadMember.tsx'
import { shortName } from '../../parts/short-name.ts'
import { useVersionedForm } from '../../parts/versioned-form.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/tables.ts'
import { NameInput } from './NameInput.tsx'
import {
  countQuery,
  isLink,
  readTable,
  removeTable,
  structureChanged,
  tableOf,
  tableQuery,
  writeTable,
} from './tables.ts'

const { settings: words } = text
const members = ['name', 'description'].map((name) => ({ name, schema: {} }))

export function TableSettings({ versioned, fields }: { versioned: Versioned; fields: readonly CustomTableField[] }) {
  const scope = useScope()
  const canWrite = useCanWrite()
  const client = useQueryClient()
  const { id } = versioned.record
  const table = tableOf(versioned)
  const form = useVersionedForm({
    versioned,
    members,
    read: () => readTable(scope, id),
    write: async (body, over) => {
      const saved = await writeTable(scope, { body, over })
      client.setQueryData(tableQuery(scope, id).queryKey, saved)
      await structureChanged(client, scope, id)
      return saved
    },
  })
  const { errors } = form
  const { set, values } = form.draft

  return (
    <Stack gap="lg" maw={760}>
      <Card title={words.title}>
        <FormFrame form={form} submit={words.save} isReadOnly={!canWrite} isDialog>
          {canWrite ? (
            <>
              <NameInput
                value={values.name ?? ''}
                onChange={(name) => set('name', name)}
                error={sentence(errors.get('/name'))}
              />
              {values.name !== table.name && (
                <Text size="sm" c="dimmed">
                  {words.renameHint}
                </Text>
              )}
              <TextInput
                label={text.descriptionLabel}
                value={values.description ?? ''}
                onChange={(event) => set('description', event.currentTarget.value)}
                error={sentence(errors.get('/description'))}
                dir="auto"
              />
            </>
          ) : (
            <>
              <ReadFact label={text.name}>{table.name}</ReadFact>
              <ReadFact label={text.descriptionLabel}>
                {table.description || <span className="muted">{records.unset}</span>}
              </ReadFact>
            </>
          )}
          <CopyValue value={id} />
        </FormFrame>
      </Card>
      {canWrite && <Deletion table={table} id={id} isExtending={fields.some(isLink)} />}
    </Stack>
  )
}

/** Deletes the table, after its name was typed. */
function Deletion({ table, id, isExtending }: { table: CustomTable; id: string; isExtending: boolean }) {
  const scope = useScope()
  const client = useQueryClient()
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  const { data: count } = useQuery(countQuery(scope, id, table.name))
  return (
    <>
      <Card title={words.danger}>
        <Text size="sm" c="dimmed" mb="md">
          {words.dangerHint} {isExtending && words.dangerCustomers}
        </Text>
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {words.delete}
        </Button>
      </Card>
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={words.deleteTitle(shortName(table.name))}
        action={words.delete}
        name={{ value: table.name, label: words.deleteType(table.name) }}
        run={async () => {
          await removeTable(scope, id)
          notify(words.deleted(table.name))
          await router.navigate({ to: `/c/${scope.companyId}/tables`, ignoreBlocker: true })
          await structureChanged(client, scope)
        }}
      >
        {count === undefined ? words.deleteAllRows : words.deleteRows(count)} {isExtending && words.dangerCustomers}
      </Confirm>
    </>
  )
}
