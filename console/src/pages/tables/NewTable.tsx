// Creates a custom table: its name, and whether it extends customers.
import { Button, Stack, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useScope } from '../../api/company.ts'
import { messagesByPointer } from '../../api/problem.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { FormModal } from '../../parts/FormModal.tsx'
import { sentence } from '../../parts/messages.ts'
import { notify } from '../../parts/notices.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text } from '../../texts/tables.ts'
import { NameInput } from './NameInput.tsx'
import { extendCustomers, removeTable, structureChanged, writeTable } from './tables.ts'

export function NewTable({ opened, close }: { opened: boolean; close: () => void }) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [isExtending, setExtending] = useState(false)
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesByPointer(problem)
  // An error of the link is an error of the name: a customer already has a member of that name.
  const aboutName = messages.get('/name') ?? messages.get('/referenceLinkedCollection')

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      const wanted = description.trim()
      const body = { name, ...(wanted !== '' && { description: wanted }) }
      const { id } = (await writeTable(scope, { body })).record
      if (isExtending)
        await extendCustomers(scope, id, []).catch(async (error) => {
          // All or nothing.
          await removeTable(scope, id)
          throw error
        })
      await structureChanged(client, scope)
      notify(text.created(name))
      await navigate({
        to: `/c/${scope.companyId}/tables/${id}`,
        search: { tab: 'structure' } as never,
        ignoreBlocker: true,
      })
    })
  }

  return (
    <FormModal {...{ opened, isBusy, close }} isDirty={name !== '' || description !== ''} title={text.newTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <FormMessage>{aboutName === undefined ? problem?.message : undefined}</FormMessage>
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
          <DialogButtons cancel={close}>
            <Button type="submit" loading={isBusy}>
              {text.create}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </FormModal>
  )
}
