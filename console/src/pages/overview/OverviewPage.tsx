// A shop at a glance: today beside the same weekday a week ago, the last days, top products and low stock.
import { Alert, SegmentedControl } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconLoader } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useCompanyId } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { BrowserZone } from '../../parts/BrowserZone.tsx'
import { dayBefore } from '../../parts/days.ts'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useReportDay, useReportZone } from '../../parts/time-zone.ts'
import { text } from '../../texts/overview.ts'
import { text as shell } from '../../texts/shell.ts'
import { Beginning } from './Beginning.tsx'
import { BestProducts } from './BestProducts.tsx'
import { LowStock } from './LowStock.tsx'
import classes from './overview.module.css'
import { Period } from './Period.tsx'
import { groupsQuery } from './reports.ts'
import { Today } from './Today.tsx'
import { WaysOfPaying } from './WaysOfPaying.tsx'

const choices = [7, 30, 90]

export function OverviewPage() {
  const id = useCompanyId()
  const today = useReportDay()
  const zone = useReportZone()
  const [kept, setKept] = useLocalStorage({
    key: 'cashwrap-overview-days',
    defaultValue: 30,
    getInitialValueInEffect: false,
  })
  const days = choices.includes(kept) ? kept : 30
  const from = dayBefore(today, days - 1)
  const sales = useQuery(groupsQuery(id, from, 'day', zone, 'previous'))
  const ofToday = useQuery(groupsQuery(id, today, 'day', zone, 'previous'))
  const ways = useQuery(groupsQuery(id, from, 'paymentMethod', zone))
  const reports = [sales, ofToday, ways]
  const failed = reports.find(({ isError, data }) => isError && data === undefined)
  const isQuiet = [sales, ways].every(({ data }) => data?.groups.length === 0)
  // Requested only if the shop may not have sold anything yet.
  const orders = useQuery({ ...someQuery({ companyId: id }, 'orders', { limit: 1 }), enabled: isQuiet })
  const payments = useQuery({ ...someQuery({ companyId: id }, 'transactions', { limit: 1 }), enabled: isQuiet })
  // Neither the empty charts nor the first steps flash up before it is clear which of them it will be.
  const isUnclear = isQuiet && (orders.isPending || payments.isPending)
  const isNew = isQuiet && orders.data?.meta.count === 0 && payments.data?.meta.count === 0

  if (isNew || isUnclear)
    return (
      <PageBody size="narrow">
        <PageHeader title={shell.overview} />
        {isNew && <Beginning />}
      </PageBody>
    )
  return (
    <PageBody size="wide">
      <PageHeader title={shell.overview} guide="console" onPaper={text.lastDays(days)}>
        <SegmentedControl
          aria-label={text.chooseDays}
          value={String(days)}
          onChange={(value) => setKept(Number(value))}
          data={choices.map((choice) => ({ value: String(choice), label: text.days(choice) }))}
        />
      </PageHeader>
      <BrowserZone />
      <div className={classes.page}>
        {failed ? (
          <Failure error={failed.error} retry={() => reports.forEach((one) => void one.refetch())} />
        ) : (
          <>
            {reports.some(({ data }) => data?.isComplete === false) && (
              <Alert color="blue" icon={<IconLoader size={18} />} role="status">
                {text.incomplete}
              </Alert>
            )}
            <Today report={ofToday.data} />
            <div className={classes.main}>
              <Period report={sales.data} days={days} />
              <WaysOfPaying report={ways.data} isOutdated={ways.isPlaceholderData} />
            </div>
          </>
        )}
        <div className={classes.columns}>
          <BestProducts from={from} />
          <LowStock />
        </div>
      </div>
    </PageBody>
  )
}
