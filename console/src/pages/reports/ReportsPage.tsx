// Sales of any period, grouped by one or two dimensions, beside the period before, as a table and as CSV.
import { Alert, Button, Group, Select, Switch, Text, TextInput } from '@mantine/core'
import { IconDownload, IconLoader } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCompany, useWhose } from '../../api/company.ts'
import { get, send } from '../../api/request.ts'
import type { SalesGroups } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { complain } from '../../parts/notices.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text as overview } from '../../texts/overview.ts'
import { text } from '../../texts/reports.ts'
import { onDay } from '../overview/DaysPlot.tsx'
import { firstDay } from '../overview/reports.ts'
import { download } from '../records/export.ts'
import { GroupsTable } from './GroupsTable.tsx'

type Query = Readonly<Record<'from' | 'to' | 'groupBy', string>> & { readonly compare?: 'previous' | undefined }

const dayOf = (date: string): string => onDay(date, { dateStyle: 'medium' })

const path = '/v1/reports/sales'

const groupsQuery = (whose: { readonly companyId: string }, query: Query) =>
  queryOptions({
    queryKey: [whose.companyId, 'reports', 'groups', query],
    queryFn: ({ signal }) => get<SalesGroups>(whose, path, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.isComplete === false && 2_000,
  })

export function ReportsPage() {
  const whose = useWhose()
  const { timezone } = useCompany()
  const [from, setFrom] = useState(() => firstDay(30, timezone))
  const [to, setTo] = useState(() => firstDay(1, timezone))
  const [first, setFirst] = useState('day')
  const [second, setSecond] = useState<string | null>(null)
  const [isCompared, setCompared] = useState(true)
  const groupBy = second === null || second === first ? first : `${first},${second}`
  const query = { from, to, groupBy, compare: isCompared ? ('previous' as const) : undefined }
  // While both days are being changed, the first may be after the last.
  const isReady = from !== '' && from <= to
  const { data: report, error, refetch } = useQuery({ ...groupsQuery(whose, query), enabled: isReady })

  async function save() {
    try {
      const response = await send(whose, path, { query: { ...query, format: 'csv' } })
      download(await response.blob(), `sales-${from}-${to}.csv`)
    } catch (problem) {
      complain(problem)
    }
  }

  return (
    <PageBody size="wide">
      <PageHeader title={text.title} description={text.hint}>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save} disabled={!isReady}>
          {text.csv}
        </Button>
      </PageHeader>
      <Group gap="sm" mb="lg" align="flex-end">
        <DayInput label={text.from} value={from} onChange={setFrom} />
        <DayInput label={text.to} value={to} onChange={setTo} />
        <Select
          w={176}
          {...plainScrolling}
          label={text.groupBy}
          data={text.dimensions}
          value={first}
          allowDeselect={false}
          onChange={(value) => setFirst(value ?? 'day')}
        />
        <Select
          w={176}
          {...plainScrolling}
          label={text.thenBy}
          data={text.dimensions.filter(({ value }) => value !== first)}
          value={second}
          placeholder={text.nothing}
          clearable
          onChange={setSecond}
        />
        <Switch
          mb={8}
          label={text.compare}
          checked={isCompared}
          onChange={(event) => setCompared(event.currentTarget.checked)}
        />
      </Group>
      {report?.isComplete === false && (
        <Alert color="blue" mb="lg" icon={<IconLoader size={18} />} role="status">
          {overview.incomplete}
        </Alert>
      )}
      <SalesCard {...{ report, error, isCompared }} retry={() => void refetch()} />
    </PageBody>
  )
}

interface DayInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}

const DayInput = ({ label, value, onChange }: DayInputProps) => (
  <TextInput type="date" label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
)

interface SalesCardProps {
  readonly report: SalesGroups | undefined
  readonly error: Error | null
  readonly isCompared: boolean
  readonly retry: () => void
}

// Mantine's scroll area of a long list is not reached by the keyboard.
const plainScrolling = { withScrollArea: false, styles: { options: { maxHeight: 332, overflowY: 'auto' } } } as const

/** The groups as a table, or why there is none. */
function SalesCard({ report, error, isCompared, retry }: SalesCardProps) {
  return (
    <Card title={text.sales} isFlush={!error && report !== undefined && report.groups.length > 0}>
      {error ? (
        <Failure error={error} retry={retry} />
      ) : report === undefined ? (
        <RowsSkeleton rows={6} />
      ) : report.groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.noSales}
        </Text>
      ) : (
        <>
          {report.previous && isCompared && (
            <Text size="sm" c="dimmed" px={{ base: 16, sm: 24 }} pb={10}>
              {text.comparedWith(dayOf(report.previous.from), dayOf(report.previous.to))}
            </Text>
          )}
          <GroupsTable report={report} />
        </>
      )}
    </Card>
  )
}
