// A closing (Z) of a till as it was when its session was closed, to print.
import { useQuery } from '@tanstack/react-query'
import { useParam, useWhose } from '../../api/company.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { text } from '../../texts/sessions.ts'
import { usePrint } from './print.tsx'
import { closingQuery } from './queries.ts'
import classes from './SessionReport.module.css'
import { SessionReport } from './SessionReport.tsx'

export function ClosingPage() {
  const whose = useWhose()
  const { data: closing, error, refetch } = useQuery(closingQuery(whose, useParam('id')))
  const { paper, button, style } = usePrint()
  if (closing === undefined) return <PageWaiting error={error} retry={refetch} />
  const title = text.zTitle(closing.number)
  return (
    <PageBody size="narrow">
      {style}
      <div className={classes.screen}>
        <PageHeader
          title={title}
          above={{ label: text.closings, to: `/c/${whose.companyId}/closings` }}
          description={text.zHint}
        >
          {button}
        </PageHeader>
      </div>
      <SessionReport report={closing} title={title} paper={paper} />
    </PageBody>
  )
}
