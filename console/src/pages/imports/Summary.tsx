// What an import would do, or did, in numbers, with links to the results.
import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCompanyId } from '../../api/company.ts'
import type { Import, ImportCounts } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/imports.ts'
import classes from './ImportPage.module.css'
import { countsOf, hasStock, writtenKinds } from './import-job.ts'

export function Summary({ job, summary }: { job: Import; summary: NonNullable<Import['summary']> }) {
  const at = `/c/${useCompanyId()}`
  const format = useFormat()
  const { state, startedAt, outletId, rowsRefused = 0 } = job
  const isDone = state === 'done' || state === 'undoing' || state === 'undone'
  const title = isDone
    ? text.doneTitle
    : state === 'ready' || state === 'checking' || startedAt === undefined
      ? text.readyTitle
      : text.runningTitle
  return (
    <section aria-labelledby="summary">
      <Title order={2} id="summary" mb="sm">
        {title}
      </Title>
      <div className={classes.card}>
        <div className={classes.tiles}>
          {writtenKinds(job).map((kind) => (
            <Counted key={kind} title={text.kinds[kind]} counts={countsOf(job, kind)} />
          ))}
          {hasStock(job) && (
            <Tile title={text.stock} amount={format.number(summary.stockSet)}>
              {text.stockSet(summary.stockSet).replace(/^[\d.,\s]+/, '')}
              {/* An undo deletes the outlet that the import created. */}
              {outletId !== undefined && state !== 'undoing' && state !== 'undone' && (
                <>
                  {' '}
                  {text.at('')}
                  <RecordName many="outlets" id={outletId} />
                </>
              )}
            </Tile>
          )}
        </div>
        <div className={classes.foot}>
          <Text size="sm" c={rowsRefused > 0 ? undefined : 'dimmed'} flex={1} miw={160}>
            {rowsRefused > 0 ? text.linesRefused(rowsRefused) : text.allTaken}
          </Text>
          {state === 'done'
            ? seen[job.kind].map((page) => (
                <Anchor key={page} component={Link} to={`${at}/${page}`} fz="sm">
                  {text.see[page]}
                </Anchor>
              ))
            : state === 'ready' && (
                <Text size="xs" c="dimmed">
                  {text.runHints[job.kind]}
                </Text>
              )}
        </div>
      </div>
    </section>
  )
}

/** The pages that show what was written. */
const seen = {
  catalog: ['products', 'stock', 'categories'],
  stock: ['stock'],
  customers: ['customers'],
  orders: ['orders', 'transactions'],
} as const

function Counted({ title, counts: { created, updated, unchanged } }: { title: string; counts: ImportCounts }) {
  const format = useFormat()
  const parts = [
    created > 0 && text.created(created),
    updated > 0 && text.updated(updated),
    unchanged > 0 && text.unchanged(unchanged),
  ].filter(Boolean)
  return (
    <Tile title={title} amount={format.number(created + updated + unchanged)}>
      {parts.join(', ') || '–'}
    </Tile>
  )
}

function Tile({ title, amount, children }: { title: string; amount: string; children: ReactNode }) {
  return (
    <div className={classes.tile}>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className={classes.amount}>{amount}</div>
      <Text size="xs" c="dimmed" component="div">
        {children}
      </Text>
    </div>
  )
}
