// Imports: uploads a file of another shop, and lists earlier imports.
import { Stack, Text, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { Import } from '../../api/schemas.ts'
import { titledWidth } from '../../parts/column-widths.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { text } from '../../texts/imports.ts'
import { DropFile } from './DropFile.tsx'
import { countsOf, importsQuery, mainKind, sumOf } from './import-job.ts'
import { State } from './State.tsx'

const columnsOf = (format: ReturnType<typeof useFormat>): readonly Column<Import>[] => [
  { key: 'file', title: text.file, width: 170, render: ({ fileName }) => <bdi>{fileName}</bdi> },
  { key: 'state', title: text.state, width: 140, render: (job) => <State job={job} /> },
  {
    key: 'shop',
    title: text.shop,
    width: 195,
    render: ({ shop, kind }) => [text.shops[shop] ?? shop, text.files[kind] ?? kind].join(' · '),
  },
  {
    key: 'records',
    title: text.records,
    width: titledWidth(85, text.records),
    align: 'right',
    isTitled: true,
    render: (job) => (job.summary ? format.number(sumOf(countsOf(job, mainKind(job)))) : ''),
  },
  {
    key: 'refused',
    title: text.refused,
    width: titledWidth(85, text.refused),
    align: 'right',
    isTitled: true,
    render: ({ rowsRefused }) => (rowsRefused ? format.number(rowsRefused) : ''),
  },
  {
    key: 'at',
    title: text.sentAt,
    width: 132,
    render: ({ createdAt }) => <time dateTime={createdAt}>{format.ago(createdAt)}</time>,
  },
]

export function ImportsPage() {
  const scope = useScope()
  const canWrite = useCanWrite()
  const format = useFormat()
  const list = useQuery(importsQuery(scope))
  const rows = list.data?.data ?? []

  return (
    <PageBody size="narrow">
      <PageHeader title={text.title} guide="import" description={text.description} />
      <Stack gap="xl">
        {canWrite && <DropFile />}
        <div>
          <Title order={2} mb="sm">
            {text.earlier}
          </Title>
          {list.error && list.data === undefined ? (
            <Failure error={list.error} retry={() => void list.refetch()} />
          ) : (
            <DataTable
              label={text.earlier}
              columns={columnsOf(format)}
              rows={rows}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/c/${scope.companyId}/imports/${id}`}
              isLoading={list.isPending}
              empty={<Empty icon={IconUpload} title={text.none} hint={text.noneHint} />}
              fits
            />
          )}
          {rows.length > 0 && (
            <Text size="xs" c="dimmed" mt="xs">
              {text.noneHint}
            </Text>
          )}
        </div>
      </Stack>
    </PageBody>
  )
}
