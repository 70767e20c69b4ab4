// What a table is called; and away with it, by typing its name.
import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { type ApiProblem, asProblem, messagesByPointer } from '../../api/problem.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/tables.ts'
import { NameInput, sentence } from './NameInput.tsx'
import classes from './TablePage.module.css'
import {
  type CustomTable,
  changeTable,
  countQuery,
  isLink,
  removeTable,
  structureChanged,
  type TableField,
  tableQuery,
} from './tables.ts'

const { settings: words } = text

export function TableSettings({ table, fields }: { table: CustomTable; fields: readonly TableField[] }) {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const client = useQueryClient()
  const router = useRouter()
  const id = table._id.$oid
  const [name, setName] = useState(table.name)
  const [description, setDescription] = useState(table.description ?? '')
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { data: count = 0 } = useQuery(countQuery(whose, id, table.name))
  const messages = messagesByPointer(problem)
  const isDirty = name !== table.name || description !== (table.description ?? '')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const changed = await changeTable(whose, id, {
        ...(name !== table.name && { name }),
        ...(description !== (table.description ?? '') && { description: description || null }),
      })
      client.setQueryData(tableQuery(whose, id).queryKey, changed)
      await structureChanged(client, whose, id)
      notifications.show({ message: words.saved, color: 'teal' })
    } catch (error) {
      setProblem(asProblem(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Stack gap="lg" maw={760}>
      <form onSubmit={submit} noValidate className={classes.card}>
        <Stack>
          <Title order={2}>{words.title}</Title>
          {problem && problem.errors.length === 0 && (
            <Alert color="red" role="alert">
              {problem.message}
            </Alert>
          )}
          <NameInput value={name} onChange={setName} error={sentence(messages.get('/name'))} disabled={!canWrite} />
          {name !== table.name && (
            <Text size="sm" c="dimmed">
              {words.renameHint}
            </Text>
          )}
          <TextInput
            label={text.descriptionLabel}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={sentence(messages.get('/description'))}
            disabled={!canWrite}
            dir="auto"
          />
          <Group justify="space-between">
            <CopyValue value={id} />
            {canWrite && (
              <Button type="submit" loading={isBusy} disabled={!isDirty}>
                {words.save}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      {canWrite && (
        <section className={classes.card}>
          <Title order={2}>{words.danger}</Title>
          <Text size="sm" c="dimmed" mt={4} mb="md">
            {words.dangerHint} {fields.some(isLink) && words.dangerCustomers}
          </Text>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            {words.delete}
          </Button>
        </section>
      )}
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={words.deleteTitle(table.name)}
        action={words.delete}
        name={{ value: table.name, label: words.deleteType(table.name) }}
        run={async () => {
          await removeTable(whose, id)
          notifications.show({ message: words.deleted(table.name), color: 'teal' })
          await router.navigate({ to: `/c/${whose.companyId}/tables`, ignoreBlocker: true })
          await structureChanged(client, whose)
        }}
      >
        {words.deleteRows(count)} {fields.some(isLink) && words.dangerCustomers}
      </Confirm>
      <LeaveGuard isDirty={isDirty && !isBusy} />
    </Stack>
  )
}
