// Undoing an import: what it would do is said before it is asked for, and what it did and left afterwards.
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWhose } from '../../api/company.ts'
import { get } from '../../api/request.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'
import { download } from '../records/export.ts'
import classes from './ImportPage.module.css'
import { type ImportJob, importQuery, type Undo, undoQuery } from './import-job.ts'
import { readLeft } from './refused.ts'

export function UndoButton({ job }: { job: ImportJob }) {
  const whose = useWhose()
  const client = useQueryClient()
  const format = useFormat()
  const [isAsking, asking] = useDisclosure(false)
  const { data, error, refetch } = useQuery({ ...undoQuery(whose, job.id), enabled: isAsking })
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={asking.open}>
        {text.undo}
      </Button>
      <Confirm
        opened={isAsking}
        close={asking.close}
        title={text.undoTitle}
        action={text.undo}
        run={async () => {
          const next = await get<ImportJob>(whose, `/v1/imports/${job.id}/undo`, { method: 'POST' })
          client.setQueryData(importQuery(whose, job.id).queryKey, next)
        }}
      >
        <Stack gap="sm">
          <Text inherit>{text.undoHint}</Text>
          {error && <Failure error={error} retry={() => void refetch()} />}
          {data === undefined && !error && <Skeleton h={150} radius="lg" />}
          {data && <Counted undo={data} />}
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

/** What the undo did, and the records that it left. */
export function Undone({ job, undo }: { job: ImportJob; undo: Undo }) {
  const left = undo.products.left + undo.variants.left + undo.categories.left + undo.outlets.left
  return (
    <>
      <section aria-labelledby="undone">
        <Title order={2} id="undone" mb="sm">
          {job.state === 'undone' ? text.undoneTitle : text.undoingTitle}
        </Title>
        <Counted undo={undo} />
      </section>
      {job.state !== 'undoing' && left > 0 && <Left job={job} count={left} />}
    </>
  )
}

const kinds = ['products', 'variants', 'categories', 'outlets'] as const

function Counted({ undo }: { undo: Undo }) {
  const format = useFormat()
  const rows = kinds.filter((kind) => Object.values(undo[kind]).some((count) => count > 0))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who scrolls by keyboard has to get into it.
    <div className={classes.scroll} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{text.records}</th>
            <th scope="col" data-align="right">
              {text.deleted}
            </th>
            <th scope="col" data-align="right">
              {text.restored}
            </th>
            <th scope="col" data-align="right">
              {text.left}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((kind) => (
            <tr key={kind}>
              <td style={{ whiteSpace: 'nowrap' }}>{text.kinds[kind]}</td>
              <td data-align="right">{format.number(undo[kind].deleted)}</td>
              <td data-align="right">{format.number(undo[kind].restored)}</td>
              <td data-align="right">{format.number(undo[kind].left)}</td>
            </tr>
          ))}
          <tr>
            <td>{text.stock}</td>
            <td data-align="right" />
            <td data-align="right">{format.number(undo.stock.restored)}</td>
            <td data-align="right">{format.number(undo.stock.left)}</td>
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function Left({ job, count }: { job: ImportJob; count: number }) {
  const whose = useWhose()
  const { data, error, refetch } = useQuery({
    queryKey: [whose.companyId, 'imports', 'left', job.id, job.state, count],
    queryFn: ({ signal }) => readLeft(whose, job.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section aria-labelledby="left">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="left">
          {text.leftTitle}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          disabled={data === undefined}
          onClick={() => data && download(data.file, `${job.fileName.replace(/\.[^.]*$/, '')}-left.csv`)}
        >
          {text.download}
        </Button>
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton h={120} radius="lg" />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who scrolls by keyboard has to get into it.
        <div className={classes.scroll} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{text.record}</th>
                <th scope="col">{text.reason}</th>
              </tr>
            </thead>
            <tbody>
              {data.first.map(({ resource, id, name, reason }) => (
                <tr key={id}>
                  <td>
                    <Text inherit fw={500} component="span" lineClamp={2}>
                      <bdi>{name || id}</bdi>
                    </Text>
                    <Text size="xs" c="dimmed">
                      {text.resources[resource] ?? resource}
                    </Text>
                  </td>
                  <td>{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && count > data.first.length && (
        <Text size="xs" c="dimmed" mt="xs">
          {text.moreRefused(data.first.length, count)}
        </Text>
      )}
    </section>
  )
}
