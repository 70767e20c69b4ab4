// The rules of a company's tills and of its rounding.
import { Button, Group, Radio, Skeleton, Stack, Switch } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useCanWrite, useCompany, useScope } from '../../api/company.ts'
import { get } from '../../api/request.ts'
import type { Settings, SettingsUpdate } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { notify } from '../../parts/notices.ts'
import { useSubmission } from '../../parts/submission.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/company.ts'

const path = '/v1/settings'

const settingsQuery = (scope: { readonly companyId: string }) =>
  queryOptions({
    queryKey: [scope.companyId, 'settings'],
    queryFn: ({ signal }) => get<Settings>(scope, path, { signal }),
  })

export function TillSettings() {
  const { data, error, refetch } = useQuery(settingsQuery(useScope()))
  return (
    <Card title={text.tills}>
      {data !== undefined && <SettingsForm settings={data} />}
      {data === undefined && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={150} />)}
    </Card>
  )
}

function SettingsForm({ settings }: { settings: Settings }) {
  const scope = useScope()
  const client = useQueryClient()
  const canWrite = useCanWrite()
  const { currency } = useCompany()
  const [changed, setChanged] = useState<SettingsUpdate>({})
  const { isBusy, problem, run } = useSubmission()
  const { oneOpenSession, taxRounding, cashRounding } = { ...settings, ...changed }
  const change = (next: SettingsUpdate) => setChanged((all) => ({ ...all, ...next }))
  const messages = messagesFor(problem, '/cashRounding')
  const isReady = Object.keys(changed).length > 0 && !((cashRounding as unknown) instanceof Unreadable)

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      const saved = await get<Settings>(scope, path, { method: 'PATCH', body: changed })
      client.setQueryData(settingsQuery(scope).queryKey, saved)
      setChanged({})
      notify(text.settingsSaved)
    })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Switch
          label={text.oneOpenSession}
          description={text.oneOpenSessionHint}
          checked={oneOpenSession}
          disabled={!canWrite}
          onChange={(event) => change({ oneOpenSession: event.currentTarget.checked })}
        />
        <Radio.Group
          label={text.taxRounding}
          value={taxRounding}
          onChange={(value) => change({ taxRounding: value as Settings['taxRounding'] })}
        >
          <Stack gap={8} mt={6}>
            <Radio value="line" label={text.roundLine} disabled={!canWrite} />
            <Radio value="receipt" label={text.roundReceipt} disabled={!canWrite} />
          </Stack>
        </Radio.Group>
        <NumberText
          isDecimal
          currency={currency}
          maw={280}
          label={text.cashRounding}
          description={text.cashRoundingHint}
          value={cashRounding ?? undefined}
          error={messages.at('/cashRounding')}
          disabled={!canWrite}
          onChange={(value) => change({ cashRounding: (value ?? null) as string | null })}
        />
        <FormMessage>{messages.rest}</FormMessage>
        {canWrite && (
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              {text.saveSettings}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
