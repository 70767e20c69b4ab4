// The tables of an import's page: scrolling sideways on small screens, with a caption and cells that name records.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { text } from '../../texts/imports.ts'
import classes from './ImportPage.module.css'

interface ReportTableProps {
  /** The cells of the head. */
  readonly head: ReactNode
  readonly minWidth?: number
  /** Whether all cells but the first of each line are numbers, which fit on a phone. */
  readonly isCounts?: boolean
  /** Shown below the table. */
  readonly caption?: string | undefined
  readonly children: ReactNode
}

export function ReportTable({ head, minWidth, isCounts = false, caption, children }: ReportTableProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus it to scroll. */}
      <div className={classes.scroll} tabIndex={0}>
        <table className={`${classes.table} ${isCounts ? classes.counts : ''}`} style={{ minWidth }}>
          <thead>
            <tr>{head}</tr>
          </thead>
          {children}
        </table>
      </div>
      {caption && (
        <Text size="xs" c="dimmed" mt="xs">
          {caption}
        </Text>
      )}
    </>
  )
}

/** The name and the kind of a record. */
export function RecordCell({ resource, id, name }: { resource: string; id: string; name?: string | undefined }) {
  return (
    <>
      <Text inherit fw={500} component="span" lineClamp={2}>
        <bdi>{name || id}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {text.resources[resource] ?? resource}
      </Text>
    </>
  )
}
