// Running an import: at once where its file is new, and after a question, with stock left out, where the file was imported before.
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { text } from '../../texts/imports.ts'
import { type ImportJob, importQuery } from './import-job.ts'

interface RunProps {
  readonly job: ImportJob
  readonly failed: (error: Error | null) => void
}

export function RunButton({ job, failed }: RunProps) {
  const whose = useWhose()
  const client = useQueryClient()
  const [isAsking, asking] = useDisclosure(false)
  const [setsStock, setSetsStock] = useState(false)
  const stockSet = job.summary?.stockSet ?? 0

  async function run(stock: boolean) {
    const next = await get<ImportJob>(whose, `/v1/imports/${job.id}/run`, { method: 'POST', body: { stock } })
    client.setQueryData(importQuery(whose, job.id).queryKey, next)
  }
  const atOnce = useMutation({
    mutationFn: () => run(true),
    onSuccess: () => failed(null),
    onError: (error) => {
      failed(error)
      void refresh(client, whose.companyId, 'imports')
    },
  })
  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={16} />}
        onClick={() => (job.repeats === undefined ? atOnce.mutate() : asking.open())}
        loading={atOnce.isPending}
      >
        {text.run}
      </Button>
      <Confirm
        opened={isAsking}
        close={asking.close}
        title={text.repeatTitle}
        action={text.run}
        isDangerous={false}
        run={() => run(setsStock)}
      >
        <Stack gap="md">
          <Text inherit>{text.repeatHint(job.summary?.products.updated ?? 0, job.summary?.variants.updated ?? 0)}</Text>
          {stockSet > 0 && (
            <Checkbox
              checked={setsStock}
              onChange={(event) => setSetsStock(event.currentTarget.checked)}
              label={text.setStock(stockSet)}
              description={text.setStockHint}
            />
          )}
        </Stack>
      </Confirm>
    </>
  )
}

/** Has the file of an old import checked against what is there now, as an import of its own. */
export function RepeatButton({ job, failed }: RunProps) {
  const whose = useWhose()
  const client = useQueryClient()
  const navigate = useNavigate()
  const repeat = useMutation({
    mutationFn: () => get<ImportJob>(whose, `/v1/imports/${job.id}/repeat`, { method: 'POST' }),
    onSuccess: async (next) => {
      failed(null)
      client.setQueryData(importQuery(whose, next.id).queryKey, next)
      void refresh(client, whose.companyId, 'imports')
      await navigate({ to: `/c/${whose.companyId}/imports/${next.id}` })
    },
    onError: (error) => {
      failed(error)
      void refresh(client, whose.companyId, 'imports')
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} />}
      onClick={() => repeat.mutate()}
      loading={repeat.isPending}
    >
      {text.runAgain}
    </Button>
  )
}
