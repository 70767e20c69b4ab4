// The user's identities at the OpenID provider: each with its address and last use, a way to link one and to unlink it.
import { Button, Group, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get, send } from '../../api/request.ts'
import type { LinkedIdentities, LinkedIdentity } from '../../api/schemas.ts'
import { goToProvider, providerLabel } from '../../api/sso.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { ago, date } from '../../parts/format.ts'
import { complain, notify } from '../../parts/notices.ts'
import { text } from '../../texts/sso.ts'
import { Section } from './Section.tsx'
import classes from './SignIns.module.css'

/** The user's identities; none where there is no provider. */
export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: ({ signal }): Promise<LinkedIdentities> =>
    providerLabel === undefined
      ? Promise.resolve({ data: [] })
      : get<LinkedIdentities>('person', '/v1/console/identities', { signal }),
})

const calledAs = ({ email, issuer }: LinkedIdentity): string => email ?? new URL(issuer).host

/** Nothing where there is no provider. */
export function Identities() {
  return providerLabel === undefined ? null : <AtProvider label={providerLabel} />
}

function AtProvider({ label }: { label: string }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(identitiesQuery)
  const [isLeaving, setLeaving] = useState(false)
  const [removing, setRemoving] = useState<LinkedIdentity>()

  async function link() {
    setLeaving(true)
    await goToProvider({ what: 'link' }).catch(complain)
    setLeaving(false)
  }

  return (
    <Section title={text.title} hint={text.hint(label)}>
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton h={36} aria-busy="true" />}
      {data !== undefined && data.data.length > 0 && (
        <ul>
          {data.data.map((identity) => (
            <Row key={identity.id} of={identity} unlink={() => setRemoving(identity)} />
          ))}
        </ul>
      )}
      {data && (
        <Group justify="space-between" gap="md" mt={data.data.length > 0 ? 'md' : 0}>
          <Text size="sm" c="dimmed" style={{ flex: 1 }}>
            {data.data.length === 0 ? text.none : ''}
          </Text>
          <Button variant="default" loading={isLeaving} onClick={() => void link()}>
            {text.link(label)}
          </Button>
        </Group>
      )}
      <Confirm
        opened={removing !== undefined}
        close={() => setRemoving(undefined)}
        title={text.unlinkTitle(removing === undefined ? '' : calledAs(removing))}
        action={text.unlinkAction}
        run={async () => {
          if (removing === undefined) return
          await send('person', `/v1/console/identities/${removing.id}`, { method: 'DELETE' })
          notify(text.unlinked(calledAs(removing)))
          await client.invalidateQueries({ queryKey: identitiesQuery.queryKey })
        }}
      >
        {text.unlinkHint}
      </Confirm>
    </Section>
  )
}

function Row({ of, unlink }: { of: LinkedIdentity; unlink: () => void }) {
  const { createdAt, lastUsedAt } = of
  return (
    <li className={classes.row}>
      <ThemeIcon size={36} radius="md" variant="light" color="gray">
        <IconLogin2 size={19} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <div className={classes.what}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          <bdi>{calledAs(of)}</bdi>
        </Text>
        <Text size="xs" c="dimmed" mt={2}>
          <time dateTime={createdAt}>{text.created(date(createdAt))}</time> ·{' '}
          {lastUsedAt === undefined ? text.unused : text.used(ago(lastUsedAt))}
        </Text>
      </div>
      <Button variant="default" size="xs" aria-label={text.unlinkOf(calledAs(of))} onClick={unlink}>
        {text.unlink}
      </Button>
    </li>
  )
}
