// Sales of any period, grouped by one or two dimensions, beside the period before: as a chart, as a table and as CSV; and the journal of that period.
import { Alert, Button, Text } from '@mantine/core'
import { IconDownload, IconLoader } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { readSales, type SalesGroups } from '../../api/sales-report.ts'
import { BrowserZone } from '../../parts/BrowserZone.tsx'
import { Card } from '../../parts/Card.tsx'
import { download } from '../../parts/download.ts'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { useReportZone } from '../../parts/time-zone.ts'
import { text as overview } from '../../texts/overview.ts'
import { text } from '../../texts/reports.ts'
import { onDay } from '../overview/DaysPlot.tsx'
import { csvOf } from './export-groups.ts'
import { GroupsChart } from './GroupsChart.tsx'
import { GroupsTable } from './GroupsTable.tsx'
import { mainOf, nameOf, type Sort, type Sum, sorted, sortOf, sumsOf, sumTitle, titleOf } from './groups.ts'
import { JournalButton } from './JournalButton.tsx'
import { ReportChoices } from './ReportChoices.tsx'
import { type ReportState, useReportState } from './report-state.ts'

const dayOf = (date: string): string => onDay(date, { dateStyle: 'medium' })

const groupsQuery = (
  scope: { readonly companyId: string },
  { from, to, by, thenBy, isCompared }: ReportState,
  zone: { readonly timezone?: string },
) => {
  const groupBy = thenBy === undefined ? by : `${by},${thenBy}`
  const query = { from, to, groupBy, compare: isCompared ? 'previous' : undefined, ...zone }
  return queryOptions({
    queryKey: [scope.companyId, 'reports', 'groups', query],
    queryFn: ({ signal }) => readSales(scope.companyId, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.isComplete === false && 2_000,
  })
}

export function ReportsPage() {
  const [state, change] = useReportState()
  const isReady = state.from <= state.to
  const {
    data: report,
    error,
    refetch,
    isPlaceholderData: isOutdated,
  } = useQuery({ ...groupsQuery(useScope(), state, useReportZone()), enabled: isReady })
  const sort = report && sortOf(state.sort, report)
  const groups = report && sort && sorted(report, sort, (dimension, group) => nameOf(dimension, group))

  return (
    <PageBody size="wide">
      <PageHeader
        title={text.title}
        guide="reports"
        description={text.hint}
        onPaper={report && `${dayOf(report.from)} – ${dayOf(report.to)}`}
      >
        <JournalButton from={state.from} to={state.to} />
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => report && groups && download(csvOf(report, groups), `sales-${report.from}-${report.to}.csv`)}
          // A file would not say that its report is incomplete or outdated.
          disabled={!report?.isComplete || isOutdated}
        >
          {text.csv}
        </Button>
      </PageHeader>
      <BrowserZone />
      <ReportChoices {...{ state, change }} />
      {!isReady && (
        <Alert color="yellow" mb="lg" role="alert">
          {text.wrongDays}
        </Alert>
      )}
      {report?.isComplete === false && (
        <Alert color="blue" mb="lg" icon={<IconLoader size={18} />} role="status">
          {overview.incomplete}
        </Alert>
      )}
      {error || report === undefined || report.groups.length === 0 ? (
        <Card title={text.sales}>
          {error ? (
            <Failure error={error} retry={() => void refetch()} />
          ) : report === undefined ? (
            <RowsSkeleton rows={6} />
          ) : (
            <Text size="sm" c="dimmed">
              {text.noSales}
            </Text>
          )}
        </Card>
      ) : (
        <Sales
          {...{ report, isOutdated, sort: sort as Sort, groups: groups ?? [] }}
          onSort={({ by, isDescending }) => change({ sort: `${isDescending ? '-' : ''}${by}` })}
        />
      )}
    </PageBody>
  )
}

interface SalesProps {
  readonly report: SalesGroups
  /** True while the report of a new choice is being read: this is the previous one. */
  readonly isOutdated: boolean
  readonly groups: SalesGroups['groups']
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

/** The chart of the sum that is sorted by, and the table behind it. */
function Sales({ report, isOutdated, groups, sort, onSort }: SalesProps) {
  const sum: Sum = sumsOf(report).find((one) => one === sort.by) ?? mainOf(report)
  const [first = 'day'] = report.groupBy
  return (
    <Card title={text.by(sumTitle(report, sum), titleOf(first))} isFlush isOutdated={isOutdated}>
      {report.previous && (
        <Text size="sm" c="dimmed" px={{ base: 16, sm: 24 }} pb={10}>
          {text.comparedWith(dayOf(report.previous.from), dayOf(report.previous.to))}
        </Text>
      )}
      <GroupsChart {...{ report, sum }} />
      <GroupsTable {...{ report, groups, sort, onSort }} />
    </Card>
  )
}
