// The API keys of a company or an organization: created, rotated and deleted by its members.
import { Button, Stack, Text } from '@mantine/core'
import { IconKey, IconLock, IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { Key } from '../../api/schemas.ts'
import { Count } from '../../parts/Count.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { ago } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useRows } from '../../parts/rows.ts'
import { shortName } from '../../parts/short-name.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/keys.ts'
import { KeyForm } from './KeyForm.tsx'
import { KeyModal } from './KeyModal.tsx'
import { deleteKey, keysQuery, shownKey } from './key.ts'
import { keyColumns } from './key-columns.tsx'
import { RotateForm } from './RotateForm.tsx'
import { type Tenant, useCompanyTenant, useOrganizationTenant } from './tenant.ts'

export function CompanyKeysPage() {
  const place = useCompanyTenant()
  if (place.role === 'viewer')
    return (
      <PageBody size="narrow">
        <PageHeader title={text.title} />
        <Empty icon={IconLock} title={text.forAdmins} hint={text.forAdminsHint} />
      </PageBody>
    )
  return <Keys key={place.id} place={place} />
}

export function OrganizationKeysPage() {
  const place = useOrganizationTenant()
  return place === undefined ? <NotFound /> : <Keys key={place.id} place={place} />
}

/** The current action, and the key that it applies to. */
type Doing = { readonly what: 'create' } | { readonly what: 'rotate' | 'delete'; readonly key: Key }

function Keys({ place }: { place: Tenant }) {
  const list = useInfiniteQuery(keysQuery(place))
  const [doing, setDoing] = useState<Doing>()
  const { rows, count } = useRows(list)
  const stop = () => setDoing(undefined)
  const canWrite = place.writesAs !== 'viewer'
  const columns = useMemo(
    () =>
      keyColumns(
        place.timezone,
        canWrite && {
          rotate: (key) => setDoing({ what: 'rotate', key }),
          remove: (key) => setDoing({ what: 'delete', key }),
        },
      ),
    [place.timezone, canWrite],
  )

  const create = canWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setDoing({ what: 'create' })}>
      {text.create}
    </Button>
  )
  return (
    <PageBody>
      <PageHeader
        guide="ten-minutes"
        title={text.title}
        description={place.isCompany ? text.ofCompany : text.ofOrganization}
        aside={<Count of={count} />}
      >
        {create}
      </PageHeader>
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        {...(place.isCompany && { linkOf: ({ id }: Key) => `/c/${place.id}/settings/keys/${id}` })}
        fits
        list={list}
        empty={
          <Empty icon={IconKey} title={text.emptyTitle} hint={text.empty}>
            {create}
          </Empty>
        }
      />
      <Dialogs place={place} doing={doing} stop={stop} />
    </PageBody>
  )
}

interface DialogsProps {
  readonly place: Tenant
  readonly doing: Doing | undefined
  readonly stop: () => void
}

function Dialogs({ place, doing, stop }: DialogsProps) {
  const client = useQueryClient()

  async function remove(key: Key) {
    try {
      await deleteKey(place, key.id)
    } catch (error) {
      // Another user has deleted it, which is the intended result.
      if (asProblem(error).status !== 404) throw error
    }
    notify(text.deleted(key.name))
    await client.invalidateQueries({ queryKey: keysQuery(place).queryKey })
  }

  return (
    <>
      {doing?.what === 'create' && (
        <KeyModal place={place} title={text.createTitle} madeTitle={text.made} close={stop}>
          {(dialog) => <KeyForm place={place} {...dialog} />}
        </KeyModal>
      )}
      {doing?.what === 'rotate' && (
        <KeyModal place={place} title={text.rotateTitle(doing.key.name)} madeTitle={text.rotated} close={stop}>
          {(dialog) => <RotateForm place={place} of={doing.key} dialog={dialog} />}
        </KeyModal>
      )}
      <Confirm
        opened={doing?.what === 'delete'}
        close={stop}
        title={text.deleteTitle(shortName(doing?.what === 'delete' ? doing.key.name : ''))}
        action={text.deleteAction}
        run={async () => doing?.what === 'delete' && remove(doing.key)}
      >
        {doing?.what === 'delete' && <About of={doing.key} />}
      </Confirm>
    </>
  )
}

/** The key to be deleted, and whether it seems to be in use. */
function About({ of: key }: { of: Key }) {
  return (
    <Stack gap="xs">
      <div>{text.deleteHint}</div>
      <div>
        <Text span ff="monospace" size="sm">
          {shownKey(key)}
        </Text>
        {' · '}
        {key.lastUsedAt === undefined ? text.deleteUnused : text.deleteUsed(ago(key.lastUsedAt))}
      </div>
    </Stack>
  )
}
