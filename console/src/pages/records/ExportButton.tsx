// Exports a list as a file, with progress.
import { Button, type ButtonProps } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useScope } from '../../api/company.ts'
import type { ListQuery, RecordData } from '../../api/records.ts'
import { type Resource, useResources } from '../../api/resources.ts'
import { today } from '../../parts/days.ts'
import { download } from '../../parts/download.ts'
import { complain, notify } from '../../parts/notices.ts'
import { useTimeZone } from '../../parts/time-zone.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { exportedOf } from './columns.ts'
import { exportList } from './export.ts'
import { type ListColumn, useListColumns } from './list-columns.tsx'
import { referenceNames } from './reference-names.ts'

interface ExportButtonProps {
  readonly resource: Resource
  readonly columns: readonly ListColumn[]
  readonly query: ListQuery
  readonly count: number
  /** Only these records, instead of all that the query finds. */
  readonly records?: readonly RecordData[]
  readonly label?: string
  readonly size?: ButtonProps['size']
}

export function ExportButton({
  resource,
  columns,
  query,
  count,
  records,
  label = text.export,
  size,
}: ExportButtonProps) {
  const { companyId } = useScope()
  const shown = useMemo(
    () =>
      exportedOf(
        resource,
        columns.map(({ key }) => key),
      ),
    [resource, columns],
  )
  const exported = useListColumns(resource, shown)
  const timeZone = useTimeZone()
  const resources = useResources()
  const [progress, setProgress] = useState<string>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  async function run() {
    stopping.current = new AbortController()
    setProgress(text.exporting(0, count))
    try {
      const { file, rows } = await exportList({
        companyId,
        many: resource.many,
        query,
        records,
        timeZone,
        columns: [{ title: labelOf('id'), valueOf: ({ id }) => id }, ...exported],
        names: referenceNames({ companyId }, resources, stopping.current.signal),
        progress: (done, all) => setProgress(text.exporting(done, all)),
        signal: stopping.current.signal,
      })
      download(file, `${resource.many}-${today(timeZone)}.csv`)
      notify(text.exported(rows))
    } catch (error) {
      if (!stopping.current.signal.aborted) complain(error)
    } finally {
      setProgress(undefined)
    }
  }

  return (
    <Button
      variant="default"
      {...(size !== undefined && { size })}
      leftSection={<IconDownload size={16} />}
      onClick={run}
      disabled={progress !== undefined}
    >
      {progress ?? label}
    </Button>
  )
}
