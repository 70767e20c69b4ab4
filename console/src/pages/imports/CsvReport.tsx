// A list that the server returns as CSV: its first rows as a table, all of them as a download.
import { Button, Group, Skeleton, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useScope } from '../../api/company.ts'
import type { Import } from '../../api/schemas.ts'
import { csvFileOf } from '../../parts/csv.ts'
import { download } from '../../parts/download.ts'
import { Failure } from '../../parts/Failure.tsx'
import { text } from '../../texts/imports.ts'
import { ReportTable } from './ReportTable.tsx'
import type { Report } from './refused.ts'

interface CsvReportProps<Row> {
  readonly job: Import
  /** The number of rows in the CSV. */
  readonly count: number
  readonly kind: 'refused' | 'left'
  readonly title: string
  readonly read: (scope: { readonly companyId: string }, id: string, signal: AbortSignal) => Promise<Report<Row>>
  readonly head: ReactNode
  /** Titles of all columns of the CSV. */
  readonly titles: readonly string[]
  readonly children: (rows: readonly Row[]) => ReactNode
}

export function CsvReport<Row>({ job, count, kind, title, read, head, titles, children }: CsvReportProps<Row>) {
  const scope = useScope()
  const { data, error, refetch } = useQuery({
    queryKey: [scope.companyId, 'imports', kind, job.id, job.state, count],
    queryFn: ({ signal }) => read(scope, job.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section aria-labelledby={kind}>
      <Group justify="space-between" mb="sm">
        <Title order={2} id={kind}>
          {title}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          disabled={data === undefined}
          onClick={() =>
            data &&
            download(csvFileOf(data.csv, titles, text.said), `${job.fileName.replace(/\.[^.]*$/, '')}-${kind}.csv`)
          }
        >
          {text.download}
        </Button>
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton h={120} radius="lg" />}
      {data && (
        <ReportTable
          head={head}
          caption={count > data.first.length ? text.moreRefused(data.first.length, count) : undefined}
        >
          <tbody>{children(data.first)}</tbody>
        </ReportTable>
      )}
    </section>
  )
}
