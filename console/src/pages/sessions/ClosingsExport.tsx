// The closings of a list as a CSV file: their sums, and of each payment method what was expected and counted.
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useScope } from '../../api/company.ts'
import type { ListQuery, RecordData } from '../../api/records.ts'
import { useResources } from '../../api/resources.ts'
import type { Closing, ClosingBalance, ClosingFigures } from '../../api/schemas.ts'
import { today } from '../../parts/days.ts'
import { download } from '../../parts/download.ts'
import { notify } from '../../parts/notices.ts'
import { useTimeZone } from '../../parts/time-zone.ts'
import { useAction } from '../../parts/use-action.ts'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/sessions.ts'
import { type ExportColumn, exportList } from '../records/export.ts'
import { readMatching } from '../records/many/bulk-changes.ts'
import { referenceNames } from '../records/reference-names.ts'
import { seldomFigures } from './seldom-figures.ts'

export function ClosingsExport({ query, isEmpty }: { query: ListQuery; isEmpty: boolean }) {
  const scope = useScope()
  const resources = useResources()
  const timeZone = useTimeZone()
  const { isBusy, run } = useAction()

  const save = () =>
    run(async () => {
      const closings = (await readMatching(scope, 'closings', query, () => {})) as readonly RecordData[]
      const { file, rows } = await exportList({
        companyId: scope.companyId,
        many: 'closings',
        query,
        timeZone,
        records: closings.flatMap((closing) => rowsOf(closing as RecordData & Closing)),
        columns: columnsOf(methodsOf(closings)),
        names: referenceNames(scope, resources),
        progress: () => {},
        signal: new AbortController().signal,
      })
      download(file, `closings-${today(timeZone)}.csv`)
      notify(records.exported(rows))
    })

  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      onClick={() => void save()}
      loading={isBusy}
      disabled={isEmpty}
    >
      {records.export}
    </Button>
  )
}

/** The sums of a closing in one currency; those of late records are a row of their own, without a drawer. */
type Row = Closing & { readonly sums: ClosingFigures; readonly drawer: readonly ClosingBalance[] }

function rowsOf(closing: RecordData & Closing): (RecordData & Row)[] {
  return closing.figures.map((sums) => ({
    ...closing,
    sums,
    drawer: sums.late ? [] : closing.balances.filter(({ currency }) => currency === sums.currency),
  }))
}

const methodsOf = (closings: readonly RecordData[]): readonly string[] => [
  ...new Set(
    closings.flatMap(({ balances }) => (balances as Closing['balances']).map(({ paymentMethod }) => paymentMethod)),
  ),
]

const sums = ['sales', 'discounts', 'tax', 'tips', 'refunds', 'voids', ...seldomFigures] as const
const amounts = ['expected', 'counted', 'difference'] as const

function columnsOf(methods: readonly string[]): readonly ExportColumn[] {
  const column = (title: string, of: (row: Row) => unknown, more: Partial<ExportColumn> = {}): ExportColumn => ({
    title,
    valueOf: (row) => of(row as RecordData & Row),
    ...more,
  })
  return [
    column(labelOf('id'), ({ id }) => id),
    column(text.number, ({ number }) => number),
    column(text.station, ({ stationId }) => stationId, { refersTo: 'stations' }),
    column(text.session, ({ sessionNumber }) => sessionNumber),
    column(text.opened, ({ openTime }) => openTime, { isTime: true }),
    column(text.closed, ({ closeTime }) => closeTime, { isTime: true }),
    column(text.closedBy, ({ closedBy }) => closedBy, { refersTo: 'accounts' }),
    column(labelOf('currency'), (row) => row.sums.currency),
    column(text.isLate, (row) => row.sums.late),
    ...sums.map((name) => column(text[name], (row) => row.sums[name], { isNumber: true })),
    ...methods.flatMap((method) =>
      amounts.map((name) =>
        column(
          `${wordOf(method)}: ${text[name]}`,
          ({ drawer }) => drawer.find(({ paymentMethod }) => paymentMethod === method)?.[name],
          { isNumber: true },
        ),
      ),
    ),
  ]
}
