// All data of the company in one file: asked for, written in the background, downloaded.
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconPackageExport } from '@tabler/icons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { type CompanyScope, get, send } from '../../api/request.ts'
import type { Export, ExportPage } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { download } from '../../parts/download.ts'
import { Failure } from '../../parts/Failure.tsx'
import { bytes, percent, useFormat } from '../../parts/format.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/exports.ts'
import classes from './company.module.css'

const path = '/v1/exports'
/** Milliseconds between two polls while a file is written. */
const lookMs = 700

/** The exports that the company keeps, the newest first. */
const exportsQuery = (scope: CompanyScope) =>
  queryOptions({
    queryKey: [scope.companyId, 'exports'],
    queryFn: ({ signal }) => get<ExportPage>(scope, path, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.data.some(isWritten) ? lookMs : false),
  })

const isWritten = ({ state }: Export): boolean => state === 'running'

export function CompanyExports() {
  const scope = useScope()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(exportsQuery(scope))
  const { isBusy, run } = useAction()
  const exports = data?.data ?? []
  const begin = () =>
    run(async () => {
      await send(scope, path, { method: 'POST' })
      await client.invalidateQueries({ queryKey: exportsQuery(scope).queryKey })
    })
  return (
    <Card title={text.title}>
      <Stack gap="md">
        <Text size="sm">{text.hint}</Text>
        {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
        {exports.length > 0 && (
          <ul className={classes.exports} aria-label={text.files}>
            {exports.map((one) => (
              <ExportRow key={one.id} file={one} />
            ))}
          </ul>
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            leftSection={<IconPackageExport size={16} />}
            loading={isBusy}
            onClick={() => void begin()}
          >
            {text.begin}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

const colors = { running: 'blue', done: 'teal', failed: 'red' }

function ExportRow({ file }: { file: Export }) {
  const { id, state, progress, problem, createdAt, expiresAt } = file
  const scope = useScope()
  const format = useFormat()
  const { isBusy, run } = useAction()
  const save = () =>
    run(async () => {
      const response = await send(scope, `${path}/${id}/file`)
      download(await response.blob(), `company-${scope.companyId}-${createdAt.slice(0, 10)}.ndjson`)
    })
  return (
    <li>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {format.dateTime(createdAt)}
          </Text>
          <Badge color={colors[state]}>
            {text.states[state]}
            {state === 'running' && progress > 0 && ` ${percent(Math.floor(progress * 100) / 100)}`}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {problem ??
            [file.bytes && bytes(file.bytes), text.until(format.dateTime(expiresAt))].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {state === 'done' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          aria-label={text.downloadOf(format.dateTime(createdAt))}
          loading={isBusy}
          onClick={() => void save()}
        >
          {text.download}
        </Button>
      )}
    </li>
  )
}
