// The user's passkeys: each with its name and last use, and the dialogs that add, rename and remove one.
import { ActionIcon, Badge, Button, Group, Menu, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { IconDots, IconFingerprint, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, send } from '../../api/request.ts'
import type { Passkey, Passkeys as PasskeysAnswer } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { ago, date } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { hasPasskeys } from '../../parts/passkeys.ts'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/passkeys.ts'
import { PasskeyAdd } from './PasskeyAdd.tsx'
import { PasskeyRename } from './PasskeyRename.tsx'
import { Section } from './Section.tsx'
import classes from './SignIns.module.css'

/** The user's passkeys. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => get<PasskeysAnswer>('person', '/v1/console/passkeys', { signal }),
})

type Doing = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; readonly passkey: Passkey }

export function Passkeys() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(passkeysQuery)
  const [doing, setDoing] = useState<Doing>()
  const stop = () => setDoing(undefined)
  const again = () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
  const removing = doing?.what === 'remove' ? doing.passkey : undefined

  return (
    <Section title={text.title} hint={text.hint}>
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton h={36} aria-busy="true" />}
      {data !== undefined && data.data.length > 0 && (
        <ul>
          {data.data.map((passkey) => (
            <Row
              key={passkey.id}
              of={passkey}
              rename={() => setDoing({ what: 'rename', passkey })}
              remove={() => setDoing({ what: 'remove', passkey })}
            />
          ))}
        </ul>
      )}
      {data && (
        <Group justify="space-between" gap="md" mt={data.data.length > 0 ? 'md' : 0}>
          <Text size="sm" c="dimmed" style={{ flex: 1 }}>
            {!hasPasskeys() ? text.unsupported : data.data.length === 0 ? `${text.none}. ${text.noneHint}` : ''}
          </Text>
          {hasPasskeys() && (
            <Button
              variant={data.data.length === 0 ? 'filled' : 'default'}
              leftSection={<IconPlus size={16} />}
              onClick={() => setDoing({ what: 'add' })}
            >
              {text.add}
            </Button>
          )}
        </Group>
      )}
      <PasskeyAdd opened={doing?.what === 'add'} close={stop} added={again} />
      {doing?.what === 'rename' && <PasskeyRename of={doing.passkey} close={stop} renamed={again} />}
      <Confirm
        opened={removing !== undefined}
        close={stop}
        title={text.removeTitle(shortName(removing?.name ?? ''))}
        action={text.removeAction}
        run={async () => {
          if (removing === undefined) return
          await send('person', `/v1/console/passkeys/${removing.id}`, { method: 'DELETE' })
          notify(text.removed(removing.name))
          await again()
        }}
      >
        {text.removeHint}
      </Confirm>
    </Section>
  )
}

function Row({ of, rename, remove }: { of: Passkey; rename: () => void; remove: () => void }) {
  const { name, createdAt, lastUsedAt, isSynced } = of
  return (
    <li className={classes.row}>
      <ThemeIcon size={36} radius="md" variant="light" color="gray">
        <IconFingerprint size={19} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <div className={classes.what}>
        <Group gap={8}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </Text>
          {isSynced && <Badge color="gray">{text.synced}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" mt={2}>
          <time dateTime={createdAt}>{text.created(date(createdAt))}</time> ·{' '}
          {lastUsedAt === undefined ? text.unused : text.used(ago(lastUsedAt))}
        </Text>
      </div>
      <Menu width={180}>
        <Menu.Target>
          <ActionIcon size={24} aria-label={text.actions(name)}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={rename}>
            {text.rename}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={remove}>
            {text.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}
