// Runs an import: a new file at once, a repeated one after a question, by default without its stock.
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPlay, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { Import } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { text } from '../../texts/imports.ts'
import { updatedBy, useImportAction } from './import-job.ts'

interface RunProps {
  readonly job: Import
  readonly failed: (error: Error | null) => void
}

export function RunButton({ job, failed }: RunProps) {
  const act = useImportAction(job)
  const onError = useFailure(failed)
  const [isAsking, asking] = useDisclosure(false)
  const [setsStock, setSetsStock] = useState(false)
  const stockSet = job.summary?.stockSet ?? 0
  const atOnce = useMutation({
    mutationFn: () => act('run', { stock: true }),
    onSuccess: () => failed(null),
    onError,
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
        run={() => act('run', { stock: setsStock })}
      >
        <Stack gap="md">
          <Text inherit>{text.repeatHint(updatedBy(job))}</Text>
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

/** Reports a failure, and reads the import again: its state may have changed. */
function useFailure(failed: RunProps['failed']) {
  const scope = useScope()
  const client = useQueryClient()
  return (error: Error) => {
    failed(error)
    void refresh(client, scope.companyId, 'imports')
  }
}

/** Checks the file of an old import against the current data, as a new import. */
export function RepeatButton({ job, failed }: RunProps) {
  const scope = useScope()
  const client = useQueryClient()
  const navigate = useNavigate()
  const act = useImportAction(job)
  const repeat = useMutation({
    mutationFn: () => act('repeat'),
    onSuccess: async (next) => {
      failed(null)
      void refresh(client, scope.companyId, 'imports')
      await navigate({ to: `/c/${scope.companyId}/imports/${next.id}` })
    },
    onError: useFailure(failed),
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
