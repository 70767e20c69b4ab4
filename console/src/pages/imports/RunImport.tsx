// Runs an import: at once if all in it is new; otherwise, and again after a run that did not end, after a question about its stock.
import { Button, Checkbox, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { Import } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { text } from '../../texts/imports.ts'
import { overwrites, updatedBy, useImportAction } from './import-job.ts'

interface RunProps {
  readonly job: Import
  readonly failed: (error: Error | null) => void
}

export function RunButton({ job, failed }: RunProps) {
  const act = useImportAction(job)
  const onError = useFailure(failed)
  const [isAsking, asking] = useDisclosure(false)
  const isFirst = job.state === 'ready'
  // Existing stock may be newer than the file, unless the file has only stock. A repeated run treats stock like the run before.
  const [setsStock, setSetsStock] = useState(job.kind === 'stock' || (!isFirst && job.stock !== false))
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
        onClick={() => (isFirst && !overwrites(job) ? atOnce.mutate() : asking.open())}
        loading={atOnce.isPending}
      >
        {isFirst ? text.run : text.runAgain}
      </Button>
      <Confirm
        opened={isAsking}
        close={asking.close}
        title={isFirst ? text.overwriteTitle : text.runAgainTitle}
        action={isFirst ? text.run : text.runAgain}
        isDangerous={false}
        run={() => act('run', { stock: setsStock })}
      >
        <Stack gap="md">
          <Text inherit>
            {job.kind === 'stock'
              ? text.setStockHint
              : isFirst
                ? text.overwriteHint(updatedBy(job))
                : text.runAgainHint}
          </Text>
          {job.kind === 'catalog' && (!isFirst || stockSet > 0) && (
            <Checkbox
              checked={setsStock}
              onChange={(event) => setSetsStock(event.currentTarget.checked)}
              label={isFirst ? text.setStock(stockSet) : text.setAllStock}
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
