// A closing (Z) of a till as it was when its session was closed, to print.
import { useQuery } from '@tanstack/react-query'
import { useParam, useScope } from '../../api/company.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { Paper } from '../../parts/paper/Paper.tsx'
import { PrintButton, pages, usePrint } from '../../parts/paper/print.tsx'
import { text } from '../../texts/sessions.ts'
import { closingQuery } from './queries.ts'
import { SessionReport } from './SessionReport.tsx'

export function ClosingPage() {
  const scope = useScope()
  const { data: closing, error, refetch } = useQuery(closingQuery(scope, useParam('id')))
  const { paper, print } = usePrint()
  if (closing === undefined) return <PageWaiting error={error} retry={refetch} />
  const title = text.zTitle(closing.number)
  return (
    <PageBody size="narrow">
      <PageHeader
        title={title}
        above={{ label: text.closings, to: `/c/${scope.companyId}/closings` }}
        description={text.zHint}
      >
        <PrintButton print={print} />
      </PageHeader>
      <SessionReport report={closing} title={title} />
      <Paper page={pages[paper]}>
        <SessionReport report={closing} title={title} paper={paper} />
      </Paper>
    </PageBody>
  )
}
