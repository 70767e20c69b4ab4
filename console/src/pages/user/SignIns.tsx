// The browsers in which the user is signed in, each with a way to sign it out.
import { Badge, Button, Group, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { get, send } from '../../api/request.ts'
import type { SignIns as SignInsAnswer } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { ago, dateTime } from '../../parts/format.ts'
import { complain, notify } from '../../parts/notices.ts'
import { text } from '../../texts/user.ts'
import { browserOf } from './browser.ts'
import { Section } from './Section.tsx'
import classes from './SignIns.module.css'

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async ({ signal }) =>
    (await get<SignInsAnswer>('person', '/v1/console/sign-ins', { signal })).data.toSorted(
      (one, other) => Number(other.isCurrent) - Number(one.isCurrent),
    ),
})

/** Minutes within which a browser counts as active: its last use is stored once a minute. */
const activeMinutes = 2

export function SignIns() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(signInsQuery)
  const [isAsking, setAsking] = useState(false)
  const others = data?.filter(({ isCurrent }) => !isCurrent) ?? []

  async function end(id: string, words: string) {
    try {
      await send('person', `/v1/console/sign-ins/${id}`, { method: 'DELETE' })
      notify(text.signedOut(words))
    } catch (caught) {
      // It may have ended by itself in the meantime.
      if (asProblem(caught).status !== 404) complain(caught)
    } finally {
      await client.invalidateQueries({ queryKey: signInsQuery.queryKey })
    }
  }

  async function endOthers() {
    await send('person', '/v1/console/sign-ins', { method: 'DELETE' })
    await client.invalidateQueries({ queryKey: signInsQuery.queryKey })
    notify(text.signedOutOthers)
  }

  return (
    <Section
      title={text.signIns}
      hint={text.signInsHint}
      aside={
        others.length > 0 && (
          <Button variant="default" mt="md" onClick={() => setAsking(true)}>
            {text.signOutOthers}
          </Button>
        )
      }
    >
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      <ul aria-busy={data === undefined && !error}>
        {data === undefined && !error && <Outline />}
        {data?.map((signIn) => (
          <Row key={signIn.id} signIn={signIn} end={end} />
        ))}
      </ul>
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={text.signOutOthersTitle}
        action={text.signOutOthers}
        run={endOthers}
      >
        {text.signOutOthersHint(others.length)}
      </Confirm>
    </Section>
  )
}

function Row({
  signIn,
  end,
}: {
  signIn: SignInsAnswer['data'][number]
  end: (id: string, words: string) => Promise<void>
}) {
  const { id, userAgent, address = '', lastSeenAt, createdAt, isCurrent } = signIn
  const [isBusy, setBusy] = useState(false)
  const { words, isMobile } = browserOf(userAgent)
  const isActive = isCurrent || Date.now() - Date.parse(lastSeenAt) < activeMinutes * 60_000
  const Sign = isMobile ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={classes.row}>
      <ThemeIcon size={36} radius="md" variant="light" color="gray">
        <Sign size={19} stroke={1.6} aria-hidden />
      </ThemeIcon>
      <div className={classes.what}>
        <Group gap={8}>
          <Text size="sm" fw={500} title={userAgent}>
            <bdi>{words}</bdi>
          </Text>
          {isCurrent && <Badge color="teal">{text.thisOne}</Badge>}
        </Group>
        <Text size="xs" c="dimmed" mt={2}>
          <bdi>{address}</bdi> · {isActive ? text.now : text.seen(ago(lastSeenAt))} ·{' '}
          <time dateTime={createdAt}>{text.since(dateTime(createdAt))}</time>
        </Text>
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          aria-label={text.signOutOf(words, address)}
          onClick={() => {
            setBusy(true)
            void end(id, words).finally(() => setBusy(false))
          }}
        >
          {text.signOut}
        </Button>
      )}
    </li>
  )
}

const Outline = () => (
  <li className={classes.row}>
    <Skeleton h={36} w={36} radius="md" />
    <div className={classes.what}>
      <Skeleton h={14} w={160} />
      <Skeleton h={11} w={240} mt={8} />
    </div>
  </li>
)
