// Undoes an import: shows beforehand what that would do, and afterwards what it did and did not undo.
import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import type { Import, ImportUndo } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'
import { labelOf } from '../../texts/members.ts'
import { CsvReport } from './CsvReport.tsx'
import { hasStock, undoQuery, useImportAction } from './import-job.ts'
import { RecordCell, ReportTable } from './ReportTable.tsx'
import { readLeft } from './refused.ts'

export function UndoButton({ job }: { job: Import }) {
  const scope = useScope()
  const act = useImportAction(job)
  const format = useFormat()
  const [isAsking, asking] = useDisclosure(false)
  const { data, error, refetch } = useQuery({ ...undoQuery(scope, job.id), enabled: isAsking })
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={asking.open}>
        {text.undo}
      </Button>
      <Confirm opened={isAsking} close={asking.close} title={text.undoTitle} action={text.undo} run={() => act('undo')}>
        <Stack gap="sm">
          <Text inherit>{text.undoHint}</Text>
          {error && <Failure error={error} retry={() => void refetch()} />}
          {data === undefined && !error && <Skeleton h={150} radius="lg" />}
          {data && <Counted job={job} undo={data} />}
          {job.undoUntil && (
            <Text size="xs" c="dimmed">
              {text.undoUntil(format.date(job.undoUntil))}
            </Text>
          )}
        </Stack>
      </Confirm>
    </>
  )
}

/** What the undo did, and the records that it left as they are. */
export function Undone({ job, undo }: { job: Import; undo: ImportUndo }) {
  const left = kinds.reduce((sum, kind) => sum + (undo[kind]?.left ?? 0), 0)
  return (
    <>
      <section aria-labelledby="undone">
        <Title order={2} id="undone" mb="sm">
          {job.state === 'undone' ? text.undoneTitle : text.undoingTitle}
        </Title>
        <Counted job={job} undo={undo} />
      </section>
      {job.state !== 'undoing' && left > 0 && <Left job={job} count={left} />}
    </>
  )
}

const kinds = [
  'products',
  'variants',
  'categories',
  'outlets',
  'customers',
  'orders',
  'transactions',
  'refunds',
] as const

function Counted({ job, undo }: { job: Import; undo: ImportUndo }) {
  const format = useFormat()
  const rows = kinds.flatMap((kind) => {
    const counts = undo[kind]
    return counts && Object.values(counts).some((count) => count > 0) ? [{ kind, ...counts }] : []
  })
  const head = (
    <>
      <th scope="col">{text.records}</th>
      {[text.deleted, text.restored, text.left].map((title) => (
        <th key={title} scope="col" data-align="right">
          {title}
        </th>
      ))}
    </>
  )
  return (
    <ReportTable head={head} isCounts>
      <tbody>
        {rows.map(({ kind, deleted, restored, left }) => (
          <tr key={kind}>
            <td style={{ whiteSpace: 'nowrap' }}>{text.kinds[kind]}</td>
            <td data-align="right">{format.number(deleted)}</td>
            <td data-align="right">{format.number(restored)}</td>
            <td data-align="right">{format.number(left)}</td>
          </tr>
        ))}
        {hasStock(job) && (
          <tr>
            <td>{text.stock}</td>
            <td data-align="right" />
            <td data-align="right">{format.number(undo.stock.restored)}</td>
            <td data-align="right">{format.number(undo.stock.left)}</td>
          </tr>
        )}
      </tbody>
    </ReportTable>
  )
}

function Left({ job, count }: { job: Import; count: number }) {
  const head = (
    <>
      <th scope="col">{text.record}</th>
      <th scope="col">{text.reason}</th>
    </>
  )
  return (
    <CsvReport
      {...{ job, count, head }}
      titles={[text.records, labelOf('id'), text.record, text.reason]}
      kind="left"
      title={text.leftTitle}
      read={readLeft}
    >
      {(records) =>
        records.map(({ reason, ...record }) => (
          <tr key={record.id}>
            <td>
              <RecordCell {...record} />
            </td>
            <td>{text.said(reason)}</td>
          </tr>
        ))
      }
    </CsvReport>
  )
}
