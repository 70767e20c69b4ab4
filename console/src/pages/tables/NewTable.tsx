// Makes a custom table: its name, and whether it extends customers.
import { Alert, Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { type ApiProblem, asProblem, messagesByPointer } from '../../api/problem.ts'
import { text as shell } from '../../texts/shell.ts'
import { text } from '../../texts/tables.ts'
import { NameInput, sentence } from './NameInput.tsx'
import { createTable, extendCustomers, removeTable, structureChanged } from './tables.ts'

export function NewTable({ opened, close }: { opened: boolean; close: () => void }) {
  const whose = useWhose()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [isExtending, setExtending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const messages = messagesByPointer(problem)
  // What is wrong with the link is wrong with the name: a customer has a member of that name.
  const aboutName = messages.get('/name') ?? messages.get('/referenceLinkedCollection')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      const wanted = description.trim()
      const table = await createTable(whose, { name, ...(wanted !== '' && { description: wanted }) })
      const id = table._id.$oid
      if (isExtending)
        await extendCustomers(whose, id, []).catch(async (error) => {
          // All of what was asked for, or nothing.
          await removeTable(whose, id)
          throw error
        })
      await structureChanged(client, whose)
      notifications.show({ message: text.created(name), color: 'teal' })
      await navigate({ to: `/c/${whose.companyId}/tables/${id}`, search: { tab: 'structure' } as never })
    } catch (error) {
      setProblem(asProblem(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={text.newTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problem && aboutName === undefined && (
            <Alert color="red" role="alert">
              {problem.message}
            </Alert>
          )}
          <NameInput value={name} onChange={setName} error={sentence(aboutName)} />
          <TextInput
            label={text.descriptionLabel}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
            error={sentence(messages.get('/description'))}
            dir="auto"
          />
          <Switch
            label={text.extends}
            description={text.extendsHint}
            checked={isExtending}
            onChange={(event) => setExtending(event.currentTarget.checked)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {shell.cancel}
            </Button>
            <Button type="submit" loading={isBusy} disabled={name === ''}>
              {text.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
