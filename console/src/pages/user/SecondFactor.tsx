// Two-step authentication: whether it is on, and the dialogs that turn it on and off.
import { Badge, Button, Group, Skeleton, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../../api/request.ts'
import type { SecondFactor as SecondFactorState } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { dateTime } from '../../parts/format.ts'
import { notify } from '../../parts/notices.ts'
import { text } from '../../texts/second-factor.ts'
import { SecondFactorOff } from './SecondFactorOff.tsx'
import { SecondFactorSetup } from './SecondFactorSetup.tsx'
import { Section } from './Section.tsx'
import { signInsQuery } from './SignIns.tsx'

/** Whether the user has turned two-step authentication on. */
export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: ({ signal }) => get<SecondFactorState>('person', '/v1/console/second-factor', { signal }),
})

export function SecondFactor() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(secondFactorQuery)
  const [opened, setOpened] = useState<'on' | 'off'>()

  async function turned(message: string) {
    notify(message)
    await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
    await client.invalidateQueries({ queryKey: signInsQuery.queryKey })
  }

  return (
    <Section title={text.title} hint={text.hint}>
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton h={36} aria-busy="true" />}
      {data && (
        <Group justify="space-between" gap="md">
          <div>
            <Badge color={data.isOn ? 'teal' : 'gray'}>{data.isOn ? text.on : text.off}</Badge>
            <Text size="xs" c="dimmed" mt={6}>
              {data.confirmedAt === undefined ? text.offHint : text.since(dateTime(data.confirmedAt))}
            </Text>
            {data.recoveryCodesLeft !== undefined && (
              <Text size="xs" c="dimmed">
                {text.codesLeft(data.recoveryCodesLeft)}
              </Text>
            )}
          </div>
          <Button variant={data.isOn ? 'default' : 'filled'} onClick={() => setOpened(data.isOn ? 'off' : 'on')}>
            {data.isOn ? text.turnOff : text.turnOn}
          </Button>
        </Group>
      )}
      <SecondFactorSetup
        opened={opened === 'on'}
        close={() => setOpened(undefined)}
        turnedOn={() => turned(text.turnedOn)}
      />
      <SecondFactorOff
        opened={opened === 'off'}
        close={() => setOpened(undefined)}
        turnedOff={() => turned(text.turnedOff)}
      />
    </Section>
  )
}
