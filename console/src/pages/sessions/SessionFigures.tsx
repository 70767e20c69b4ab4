// The figures on the page of a session: those of its last closing (Z), or of its report (X) where it has none.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCompany, useScope } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import type { Closing, SessionReport } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/sessions.ts'
import { withCounts } from './counted.ts'
import { closingsQuery, reportQuery } from './queries.ts'
import { Balances, Payments, Totals } from './ReportBlocks.tsx'
import classes from './SessionReport.module.css'

/** An open session may have closings from before it was opened again, so it shows its report. */
export function SessionFigures({ session }: { session: RecordData }) {
  const scope = useScope()
  const { currency } = useCompany()
  const isOpen = session.closeTime === undefined
  const closings = useQuery(closingsQuery(scope, session.id))
  const closing = isOpen ? undefined : closings.data?.data[0]
  const isWithoutClosing = isOpen || closings.data?.data.length === 0
  const report = useQuery({ ...reportQuery(scope, session.id), enabled: isWithoutClosing })
  const shown: Closing | SessionReport | undefined = closing ?? (isWithoutClosing ? report.data : undefined)
  const failed = [closings, report].find(({ isError }) => isError)
  const title = closing ? text.zTitle(closing.number) : text.xTitle
  if (shown === undefined)
    return (
      <Card title={title}>
        {failed ? <Failure error={failed.error} retry={() => void failed.refetch()} /> : <RowsSkeleton rows={5} />}
      </Card>
    )
  return (
    <Card
      title={title}
      actions={
        closing && (
          <Anchor component={Link} to={`/c/${scope.companyId}/closings/${closing.id}`} fz="sm">
            {text.open}
          </Anchor>
        )
      }
    >
      {!isOpen && !closing && (
        <Text size="sm" c="dimmed" mb="md">
          {text.noClosing}
        </Text>
      )}
      <div className={classes.figures}>
        <Balances balances={closing ? shown.balances : withCounts(shown.balances, session, currency)} />
        {shown.figures.map((figures) => (
          <section
            key={`${figures.currency} ${figures.late}`}
            className={classes.figures}
            aria-label={text.figuresOf(figures.currency, figures.late)}
          >
            {(shown.figures.length > 1 || figures.late) && <h3>{text.figuresOf(figures.currency, figures.late)}</h3>}
            <Totals figures={figures} />
            <Payments figures={figures} />
          </section>
        ))}
      </div>
    </Card>
  )
}
