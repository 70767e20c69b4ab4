// The closings (Z) of all tills, the latest first, by period and till.
import { Button, Group } from '@mantine/core'
import { IconReceiptOff } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useScope } from '../../api/company.ts'
import { listQuery } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import type { Closing } from '../../api/schemas.ts'
import { Count } from '../../parts/Count.tsx'
import { moneyWidth, timeWidth } from '../../parts/column-widths.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { isLess, isZero, minus } from '../../parts/decimal.ts'
import { EmployeeName } from '../../parts/EmployeeName.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { useFormat } from '../../parts/format.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RecordName } from '../../parts/RecordName.tsx'
import { useRows } from '../../parts/rows.ts'
import { useTimeZone } from '../../parts/time-zone.ts'
import { wordOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import { text as shell } from '../../texts/shell.ts'
import classes from '../records/Filters.module.css'
import { Filters } from '../records/Filters.tsx'
import type { Filtered } from '../records/filter-kinds.ts'
import { queryOf, useListState } from '../records/list-state.ts'
import { NothingFits } from '../records/NothingFits.tsx'
import { ClosingsExport } from './ClosingsExport.tsx'

/** What closings are filtered by; they are no resource that the console has forms for. */
const filtered: Filtered & Pick<Resource, 'remove'> = {
  members: [
    { name: 'stationId', schema: { type: 'string' } },
    { name: 'closeTime', schema: { type: 'string', format: 'date-time' } },
  ],
  list: { sort: ['closeTime'], search: [], exact: ['stationId'], any: [], range: ['closeTime'], further: [] },
  remove: 'hard',
}

export function ClosingsPage() {
  const scope = useScope()
  const [state, change] = useListState()
  const query = queryOf(filtered, { sort: '-closeTime', ...state }, useTimeZone())
  const list = useInfiniteQuery(listQuery(scope, 'closings', query))
  const { rows, count, isOutdated } = useRows(list)
  const columns = useColumns(rows)
  return (
    <PageBody size="full">
      <PageHeader
        title={text.closings}
        guide="closing-the-till"
        aside={<Count of={count} isOutdated={isOutdated} />}
        description={text.closingsHint}
      >
        <ClosingsExport query={query} isEmpty={count === 0} />
      </PageHeader>
      <Group gap="xs" mb="sm" className={classes.tools}>
        <Filters resource={filtered} values={state.f ?? {}} onChange={(f) => change({ f })} />
      </Group>
      <DataTable
        label={text.closings}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/c/${scope.companyId}/closings/${id}`}
        list={list}
        empty={
          state.f ? (
            <NothingFits />
          ) : (
            <Empty icon={IconReceiptOff} title={text.noClosings} hint={text.noClosingsHint}>
              <Button component={Link} to={`/c/${scope.companyId}/sessions`} variant="default">
                {shell.pages.sessions}
              </Button>
            </Empty>
          )
        }
      />
    </PageBody>
  )
}

function useColumns(closings: readonly Closing[]): readonly Column<Closing>[] {
  const format = useFormat()
  return useMemo(() => {
    const salesOf = ({ figures }: Closing) =>
      figures
        .filter(({ late }) => !late)
        .map(({ sales, currency }) => format.money(sales, currency))
        .join(', ')
    const difference = ({ balances }: Closing) => differencesOf(balances, format.signed)
    const widthOf = (shown: (closing: Closing) => string, least: number) =>
      moneyWidth(closings.map(shown), (amounts) => amounts, least)
    return [
      { key: 'number', title: text.number, width: 140, render: ({ number }) => text.zTitle(number) },
      {
        key: 'station',
        title: text.station,
        width: 150,
        render: ({ stationId }) => <RecordName many="stations" id={stationId} isPlain />,
      },
      { key: 'closed', title: text.closed, width: timeWidth(), render: ({ closeTime }) => format.dateTime(closeTime) },
      {
        key: 'by',
        title: text.closedBy,
        width: 140,
        render: ({ closedBy }) => closedBy && <EmployeeName id={closedBy} />,
      },
      { key: 'sales', title: text.sales, width: widthOf(salesOf, 130), align: 'right', render: salesOf },
      {
        key: 'difference',
        title: text.difference,
        width: widthOf(difference, 200),
        align: 'right',
        isTitled: true,
        isBesideName: ({ balances }) => balances.some(isWrong),
        render: difference,
      },
    ]
  }, [closings, format])
}

const isWrong = ({ difference }: Closing['balances'][number]): boolean =>
  difference !== undefined && !isZero(difference)

/** The sum without its sign. */
const sizeOf = ({ difference = '' }: Closing['balances'][number]): string =>
  difference.startsWith('-') ? minus(difference) : difference

/** What was missing or too much: “Cash −€0.50”. Of several methods the largest, since all would not fit; the closing's page has each. */
const differencesOf = (balances: Closing['balances'], signed: (amount: string, currency: string) => string): string => {
  const counted = balances.filter(({ difference }) => difference !== undefined)
  const wrong = counted.filter(isWrong)
  if (wrong.length === 0) return counted.length === 0 ? text.notCounted : text.noDifference
  const {
    paymentMethod,
    difference = '',
    currency,
  } = wrong.reduce((largest, one) => (isLess(sizeOf(largest), sizeOf(one)) ? one : largest))
  return `${wordOf(paymentMethod)} ${signed(difference, currency)}${wrong.length > 1 ? ', …' : ''}`
}
