// What a run would overwrite: each existing record, member by member, and stock separately.
import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Import, PreviewedChange } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { isMoney } from '../../parts/Value.tsx'
import { text } from '../../texts/imports.ts'
import { labelOf } from '../../texts/members.ts'
import classes from './ImportPage.module.css'
import { updatedBy } from './import-job.ts'
import { RecordCell, ReportTable } from './ReportTable.tsx'

export function Changes({ job, changes }: { job: Import; changes: readonly PreviewedChange[] }) {
  const format = useFormat()
  const rewritten = changes.filter(({ members }) => members.length > 0)
  const moved = changes.flatMap(({ stock, ...record }) => (stock ? [{ ...record, stock }] : []))
  const { stockSet } = job.summary ?? {}
  return (
    <>
      {rewritten.length > 0 && (
        <Compared
          id="changes"
          title={text.changes}
          of={text.member}
          more={text.firstOf(rewritten.length, updatedBy(job))}
        >
          {rewritten.map((record) => (
            <tbody key={record.id}>
              {record.members.map(({ member, before, after }, index) => (
                <tr key={member} className={index < record.members.length - 1 ? classes.group : undefined}>
                  <td>{index === 0 && <RecordCell {...record} />}</td>
                  <td>{labelOf(member)}</td>
                  <td className={classes.before}>
                    <Reported member={member} value={before} />
                  </td>
                  <td>
                    <Reported member={member} value={after} />
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </Compared>
      )}
      {moved.length > 0 && (
        <Compared
          id="stock-changes"
          title={text.stockChanges}
          of={text.outletOf}
          more={text.firstOf(moved.length, stockSet ?? 0)}
        >
          <tbody>
            {moved.map((record) => (
              <tr key={`${record.id} ${record.stock.outletId}`}>
                <td>
                  <RecordCell {...record} />
                </td>
                <td>{record.stock.outletId && <RecordName many="outlets" id={record.stock.outletId} isPlain />}</td>
                <td className={classes.before}>{format.number(record.stock.before) || text.nothing}</td>
                <td>{format.number(record.stock.after)}</td>
              </tr>
            ))}
          </tbody>
        </Compared>
      )}
    </>
  )
}

interface ComparedProps {
  readonly id: string
  readonly title: string
  /** The heading of the second column, which says what has these values. */
  readonly of: string
  readonly more: string | undefined
  readonly children: ReactNode
}

function Compared({ id, title, of, more, children }: ComparedProps) {
  const head = [text.record, of, text.before, text.after].map((name) => (
    <th key={name} scope="col">
      {name}
    </th>
  ))
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="sm">
        {title}
      </Title>
      <ReportTable head={head} minWidth={560} caption={more}>
        {children}
      </ReportTable>
    </section>
  )
}

/** The number of characters of a value that are shown. */
const shown = 200

function Reported({ member, value }: { member: string; value: unknown }): ReactNode {
  const format = useFormat()
  if (value === undefined || value === '') return <span className="muted">{text.nothing}</span>
  if (typeof value === 'number') return isMoney(member, {}) ? format.price(value) : format.number(value)
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.map((one, index) => (
      <span key={one}>
        {index > 0 && ', '}
        {member === 'categories' && /^[0-9a-f]{24}$/.test(one) ? (
          <RecordName many="categories" id={one} isPlain />
        ) : (
          <bdi>{one}</bdi>
        )}
      </span>
    ))
  const reported = typeof value === 'string' ? value : JSON.stringify(value)
  return <bdi>{reported.length > shown ? `${reported.slice(0, shown)}…` : reported}</bdi>
}
