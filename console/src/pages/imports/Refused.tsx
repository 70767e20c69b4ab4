// The lines of a file that are not taken: the first of them here, all of them as a file.
import { Button, Group, Skeleton, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useWhose } from '../../api/company.ts'
import { Failure } from '../../parts/Failure.tsx'
import { text } from '../../texts/imports.ts'
import { download } from '../records/export.ts'
import classes from './ImportPage.module.css'
import type { ImportJob } from './import-job.ts'
import { readRefused } from './refused.ts'

export function Refused({ job, count }: { job: ImportJob; count: number }) {
  const whose = useWhose()
  const { data, error, refetch } = useQuery({
    queryKey: [whose.companyId, 'imports', 'refused', job.id, job.state, count],
    queryFn: ({ signal }) => readRefused(whose, job.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section aria-labelledby="refused">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="refused">
          {text.refusedTitle}
        </Title>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} />}
          disabled={data === undefined}
          onClick={() => data && download(data.file, `${job.fileName.replace(/\.[^.]*$/, '')}-refused.csv`)}
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
                <th scope="col" data-align="right">
                  {text.line}
                </th>
                <th scope="col">{text.column}</th>
                <th scope="col">{text.reason}</th>
              </tr>
            </thead>
            <tbody>
              {data.first.map(({ line, column, reason }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line may be refused for several reasons, and none moves.
                <tr key={index}>
                  <td data-align="right">{line}</td>
                  <td>
                    <bdi>{column}</bdi>
                  </td>
                  <td>
                    <bdi>{reason}</bdi>
                  </td>
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
