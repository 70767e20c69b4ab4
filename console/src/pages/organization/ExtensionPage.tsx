// One extension: its form, and beside it the public preview.
import { Button, Menu } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../api/company.ts'
import { ownedQuery, useOrganizationId } from '../../api/organization.ts'
import type { Versioned } from '../../api/records.ts'
import { send } from '../../api/request.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/extensions.ts'
import { text as shell } from '../../texts/shell.ts'
import { ExtensionForm, extensionBody, extensionMembers } from './ExtensionForm.tsx'
import classes from './extensions.module.css'
import { pathsOf, useOwnedForm } from './owned-form.ts'
import { Preview } from './Preview.tsx'

export function ExtensionPage() {
  const organizationId = useOrganizationId()
  const id = useParam('id')
  const isNew = id === 'new'
  const { data, error, refetch } = useQuery({
    ...ownedQuery(organizationId, `extensions/${encodeURIComponent(id)}`),
    enabled: !isNew,
  })
  if (isNew) return <OneExtension key="new" />
  if (data === undefined) return <PageWaiting error={error} retry={refetch} />
  return <OneExtension key={id} versioned={data} />
}

const initial = { status: 'draft' }

function OneExtension({ versioned }: { versioned?: Versioned }) {
  const organizationId = useOrganizationId()
  const client = useQueryClient()
  const navigate = useNavigate()
  const list = `/o/${organizationId}/extensions`
  const id = versioned?.record.id
  const form = useOwnedForm({
    path: pathsOf('extensions'),
    versioned,
    members: extensionMembers,
    initial,
    toBody: extensionBody,
    onSaved: (saved) => {
      void client.invalidateQueries({ queryKey: ['published-extension'] })
      if (id !== undefined) return
      client.setQueryData(ownedQuery(organizationId, `extensions/${saved.record.id}`).queryKey, saved)
      void navigate({ to: `${list}/${saved.record.id}`, replace: true })
    },
  })
  return (
    <PageBody size="wide">
      <PageHeader
        title={versioned?.record.name ?? text.new}
        above={{ label: text.title, to: list }}
        aside={<StatusBadge value={versioned?.record.status} />}
      >
        {versioned && <Removal versioned={versioned} list={list} />}
      </PageHeader>
      <div className={classes.beside}>
        <ExtensionForm form={form} />
        <Preview id={id} typed={form.values} isDirty={form.draft.isTyped} />
      </div>
    </PageBody>
  )
}

function Removal({ versioned: { record }, list }: { versioned: Versioned; list: string }) {
  const organizationId = useOrganizationId()
  const client = useQueryClient()
  const router = useRouter()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" px={9} aria-label={shell.more}>
            <IconDots size={17} />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setAsking(true)}>
            {text.delete}…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={text.deleteTitle(shortName(record.name))}
        action={text.delete}
        run={async () => {
          await send({ organizationId }, `/v1/organization-api/extensions/${record.id}`, { method: 'DELETE' })
          notify(text.isDeleted(record.name))
          await router.navigate({ to: list, ignoreBlocker: true })
          client.removeQueries({ queryKey: ownedQuery(organizationId, `extensions/${record.id}`).queryKey })
          void client.invalidateQueries({ queryKey: [organizationId, 'extensions', 'list'] })
        }}
      >
        {text.deleteHint}
      </Confirm>
    </>
  )
}
