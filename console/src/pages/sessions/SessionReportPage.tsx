// The report of a session (X): what it has come to so far, to print, and to close the session with.
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useCompany, useParam, useScope } from '../../api/company.ts'
import { recordQuery } from '../../api/records.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { Paper } from '../../parts/paper/Paper.tsx'
import { PrintButton, pages, usePrint } from '../../parts/paper/print.tsx'
import { text } from '../../texts/sessions.ts'
import { CashMovement } from './CashMovement.tsx'
import { CloseDialog } from './CloseDialog.tsx'
import { withCounts } from './counted.ts'
import { closingsQuery, reportQuery } from './queries.ts'
import { SessionReport } from './SessionReport.tsx'

/** The report; of a session that its till closed without a closing (Z), with what the till counted. */
function useReport(id: string) {
  const scope = useScope()
  const { currency } = useCompany()
  const report = useQuery(reportQuery(scope, id))
  const session = useQuery(recordQuery(scope, 'session', 'sessions', id))
  const closings = useQuery(closingsQuery(scope, id))
  const failed = [report, session, closings].find(({ isError }) => isError)
  const waiting = { error: failed?.error ?? null, retry: () => void failed?.refetch() }
  if (!report.data || !session.data || !closings.data) return { ...waiting, report: undefined }
  const isWithoutClosing = closings.data.data.length === 0
  const { balances } = report.data
  const counted = isWithoutClosing ? withCounts(balances, session.data.record, currency) : balances
  return { ...waiting, report: { ...report.data, balances: [...counted] } }
}

export function SessionReportPage() {
  const scope = useScope()
  const id = useParam('id')
  const canWrite = useCanWrite()
  const { report, error, retry } = useReport(id)
  const [isClosing, setClosing] = useState(false)
  const { paper, print } = usePrint()
  if (report === undefined) return <PageWaiting error={error} retry={retry} />
  const isOpen = canWrite && report.closeTime === undefined
  return (
    <PageBody size="narrow">
      <PageHeader
        title={text.xTitle}
        above={{ label: text.session, to: `/c/${scope.companyId}/sessions/${id}` }}
        description={report.closeTime === undefined ? text.xHint : text.xClosedHint}
      >
        <PrintButton print={print} />
        {isOpen && <CashMovement sessionId={id} />}
        {isOpen && (
          <Button leftSection={<IconLock size={16} />} onClick={() => setClosing(true)}>
            {text.close}
          </Button>
        )}
      </PageHeader>
      <SessionReport report={report} title={text.xTitle} />
      <Paper page={pages[paper]}>
        <SessionReport report={report} title={text.xTitle} paper={paper} />
      </Paper>
      {(canWrite || isClosing) && <CloseDialog report={report} opened={isClosing} close={() => setClosing(false)} />}
    </PageBody>
  )
}
