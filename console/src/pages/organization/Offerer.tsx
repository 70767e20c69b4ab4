// The organization as its public extensions show it: name, alias and logo.
import { Anchor, Avatar, Button, Group, Modal, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { organizationQuery, useOrganizationId } from '../../api/organization.ts'
import type { Versioned } from '../../api/records.ts'
import { urlOf } from '../../api/request.ts'
import { signInQuery } from '../../api/sign-in.ts'
import { Failure } from '../../parts/Failure.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { text } from '../../texts/extensions.ts'
import classes from './extensions.module.css'
import { useOwnedForm } from './owned-form.ts'
import { currencies, withValue } from './regions.ts'

const members = ['name', 'alias', 'logo', 'defaultCurrency']

export function Offerer() {
  const { data: versioned, error, refetch } = useQuery(organizationQuery(useOrganizationId()))
  const [isOpen, dialog] = useDisclosure(false)
  if (versioned === undefined)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={64} mb="md" flex="none" />
  const { name, alias } = versioned.record
  return (
    <section className={classes.offerer} aria-label={text.organization}>
      <Avatar size={34} radius="md" color="gray" alt="" aria-hidden>
        {([...name.trim()][0] ?? '·').toUpperCase()}
      </Avatar>
      <div className={classes.offererName}>
        <Text size="sm" fw={500} className="cut">
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed" className="cut">
          {text.offeredAlias} <span className={classes.alias}>{alias}</span>
        </Text>
      </div>
      <Group gap="md">
        <Anchor
          href={urlOf('/v1/public/published-extensions', { organizationAlias: alias })}
          target="_blank"
          rel="noreferrer"
          fz="sm"
        >
          {text.publicList}
        </Anchor>
        <Button variant="default" size="xs" onClick={dialog.open}>
          {text.editOrganization}
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={dialog.close} title={text.organization} closeOnClickOutside={false}>
        <OffererForm versioned={versioned} close={dialog.close} />
      </Modal>
    </section>
  )
}

function OffererForm({ versioned, close }: { versioned: Versioned; close: () => void }) {
  const client = useQueryClient()
  const { defaultCurrency } = versioned.record
  const choices = useMemo(() => withValue(currencies(), defaultCurrency), [defaultCurrency])
  const form = useOwnedForm({
    path: () => 'organization',
    versioned,
    members,
    onSaved: () => {
      // The navigation shows the name too.
      void client.invalidateQueries({ queryKey: signInQuery.queryKey })
      close()
    },
  })
  return (
    <FormFrame
      form={form}
      submit={text.save}
      isDialog
      actions={
        form.draft.changed.length === 0 && (
          <Button variant="default" onClick={close}>
            {text.cancel}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {text.organizationHint}
        </Text>
        <TextInput label={text.organizationName} required aria-required {...form.input('name')} />
        <TextInput label={text.alias} description={text.aliasHint} required aria-required {...form.input('alias')} />
        <TextInput label={text.logo} description={text.logoHint} type="url" {...form.input('logo')} />
        <Select
          label={text.defaultCurrency}
          description={text.defaultCurrencyHint}
          placeholder="USD"
          data={choices}
          searchable
          clearable
          {...form.choice('defaultCurrency')}
        />
      </Stack>
    </FormFrame>
  )
}
