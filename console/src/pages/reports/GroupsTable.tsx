// The groups of a sales report as a table that sorts by each column, with the totals at its end.
import { Anchor, Table, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../api/company.ts'
import type { SalesGroup, SalesGroups } from '../../api/sales-report.ts'
import { percent, useFormat } from '../../parts/format.ts'
import { text } from '../../texts/reports.ts'
import {
  growthOf,
  isInOrder,
  isNumberOf,
  keyOf,
  mainOf,
  nameOf,
  recordName,
  resourceOf,
  type Sort,
  type Sum,
  shownSumsOf,
  sumTitle,
  titleOf,
  totalsOf,
} from './groups.ts'
import classes from './ReportsPage.module.css'

/** More rows than anybody reads; the CSV has all of them. */
const most = 300

interface GroupsTableProps {
  readonly report: SalesGroups
  /** In the order of the table. */
  readonly groups: readonly SalesGroup[]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

export function GroupsTable({ report, groups, sort, onSort }: GroupsTableProps) {
  const { groupBy } = report
  return (
    <>
      <Table.ScrollContainer
        minWidth={800}
        classNames={{ scrollContainerInner: classes.scrolled }}
        scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0, role: 'group', 'aria-label': text.sales } }}
      >
        <Table verticalSpacing={9} horizontalSpacing={6} fz="xs" className={classes.groups}>
          <Head {...{ report, sort, onSort }} />
          <Table.Tbody>
            {groups.slice(0, most).map((group) => (
              <Table.Tr key={JSON.stringify([group.currency, ...groupBy.map((dimension) => keyOf(group, dimension))])}>
                {groupBy.map((dimension) => (
                  <Table.Td key={dimension} data-name={resourceOf(dimension)}>
                    <Name {...{ dimension, group }} />
                  </Table.Td>
                ))}
                <Sums {...{ report, group }} />
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Totals report={report} />
        </Table>
      </Table.ScrollContainer>
      {groups.length > most && (
        <Text size="sm" c="dimmed" px={24} py={12}>
          {text.onlyFirst(most, groups.length)}
        </Text>
      )}
    </>
  )
}

function Head({ report, sort, onSort }: Pick<GroupsTableProps, 'report' | 'sort' | 'onSort'>) {
  const main = mainOf(report)
  const columns = [
    ...report.groupBy.map((by) => ({ by: by as string, title: titleOf(by), isNumber: false })),
    ...shownSumsOf(report).map((by) => ({ by: by as string, title: sumTitle(report, by), isNumber: true })),
    ...(report.previous ? [{ by: 'change', title: text.change, isNumber: true }] : []),
  ]
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ by, title, isNumber }) => {
          const isSorted = sort.by === by
          const Arrow = sort.isDescending ? IconArrowDown : IconArrowUp
          return (
            <Table.Th
              key={by}
              ta={isNumber ? 'right' : undefined}
              aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
            >
              <button
                type="button"
                className={classes.sort}
                // Of numbers, the greatest come first.
                onClick={() => onSort({ by, isDescending: isSorted ? !sort.isDescending : isNumber })}
              >
                {title}
                {isSorted && <Arrow size={13} aria-hidden />}
              </button>
              {report.previous && by === main && <Before>{text.periodBefore}</Before>}
            </Table.Th>
          )
        })}
      </Table.Tr>
    </Table.Thead>
  )
}

/** The sum of the period before, below the current one: there is no room for another column. */
const Before = ({ children }: { readonly children: ReactNode }) => <div className={classes.before}>{children}</div>

function useShown(currency: string | undefined) {
  const format = useFormat()
  return (sum: Sum, value: string | number | undefined): string => {
    if (value === undefined) return '–'
    return isNumberOf(sum) ? format.number(Number(value)) : format.money(value, currency)
  }
}

function Sums({ report, group }: { report: SalesGroups; group: SalesGroup }) {
  const shown = useShown(group.currency)
  const main = mainOf(report)
  return (
    <>
      {shownSumsOf(report).map((sum) => (
        <Table.Td key={sum} ta="right">
          {shown(sum, group[sum])}
          {report.previous && sum === main && <Before>{shown(main, group.previous?.[main])}</Before>}
        </Table.Td>
      ))}
      {report.previous && <Table.Td ta="right">{changeText(growthOf(group, main))}</Table.Td>}
    </>
  )
}

/** A row of sums for each currency. */
function Totals({ report }: { report: SalesGroups }) {
  const totals = totalsOf(report)
  return (
    <Table.Tfoot className={classes.totals}>
      {totals.map((total) => (
        <TotalRow key={total.currency} {...{ report, total }} isOne={totals.length === 1} />
      ))}
    </Table.Tfoot>
  )
}

interface TotalRowProps {
  readonly report: SalesGroups
  readonly total: ReturnType<typeof totalsOf>[number]
  readonly isOne: boolean
}

function TotalRow({ report, total: { currency, now, before }, isOne }: TotalRowProps) {
  const shown = useShown(currency)
  const main = mainOf(report)
  const growth = Number(before ?? 0) <= 0 ? undefined : Number(now[main] ?? 0) / Number(before) - 1
  return (
    <Table.Tr>
      <Table.Th colSpan={report.groupBy.length} scope="row">
        {isOne ? text.total : `${text.total} ${currency}`}
      </Table.Th>
      {shownSumsOf(report).map((sum) => (
        <Table.Td key={sum} ta="right">
          {shown(sum, now[sum])}
          {before !== undefined && sum === main && <Before>{shown(main, before)}</Before>}
        </Table.Td>
      ))}
      {before !== undefined && <Table.Td ta="right">{changeText(growth)}</Table.Td>}
    </Table.Tr>
  )
}

/** “+12%”; nothing if there was nothing before. */
const changeText = (share: number | undefined): string =>
  share === undefined ? '–' : `${share > 0 ? '+' : ''}${percent(share)}`

interface NameProps {
  readonly dimension: string
  readonly group: SalesGroup
}

/** What a group is called, as a link where it is a record. */
function Name({ dimension, group }: NameProps): ReactNode {
  const { companyId } = useScope()
  const value = keyOf(group, dimension)
  const name = nameOf(dimension, group)
  if (value === null || value === undefined) return <span className="muted">{name}</span>
  const many = resourceOf(dimension)
  const isRecord = many !== undefined && many !== 'variants' && recordName(group, dimension) !== undefined
  if (isRecord)
    return (
      <Anchor component={Link} to={`/c/${companyId}/${many}/${value}`}>
        <bdi>{name}</bdi>
      </Anchor>
    )
  return <bdi className={isInOrder(dimension) ? classes.time : undefined}>{name}</bdi>
}
