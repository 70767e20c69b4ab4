// The report of a session (X): what it has come to so far, to print, and to close the session with.
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { text } from '../../texts/sessions.ts'
import { CloseDialog } from './CloseDialog.tsx'
import { usePrint } from './print.tsx'
import { reportQuery } from './queries.ts'
import classes from './SessionReport.module.css'
import { SessionReport } from './SessionReport.tsx'

export function SessionReportPage() {
  const whose = useWhose()
  const id = useParam('id')
  const canWrite = useCanWrite()
  const { data: report, error, refetch } = useQuery(reportQuery(whose, id))
  const [isClosing, setClosing] = useState(false)
  const { paper, button, style } = usePrint()
  if (report === undefined) return <PageWaiting error={error} retry={refetch} />
  return (
    <PageBody size="narrow">
      {style}
      <div className={classes.screen}>
        <PageHeader
          title={text.xTitle}
          above={{ label: text.session, to: `/c/${whose.companyId}/sessions/${id}` }}
          description={report.closeTime === undefined ? text.xHint : text.xClosedHint}
        >
          {button}
          {canWrite && report.closeTime === undefined && (
            <Button leftSection={<IconLock size={16} />} onClick={() => setClosing(true)}>
              {text.close}
            </Button>
          )}
        </PageHeader>
      </div>
      <SessionReport report={report} title={text.xTitle} paper={paper} />
      {canWrite && <CloseDialog report={report} opened={isClosing} close={() => setClosing(false)} />}
    </PageBody>
  )
}
