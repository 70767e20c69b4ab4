// A ranking, each entry with a bar: its part of a whole, or else in proportion to the largest entry.
import { Skeleton, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './overview.module.css'

interface Share {
  readonly key: string
  readonly name: ReactNode
  /** The length of the bar. */
  readonly size: number
  readonly value: string
  readonly note: string
}

interface SharesProps {
  readonly shares: readonly Share[] | undefined
  /** The size of a full bar, for entries that show percentages of it; by default that of the largest entry. */
  readonly whole?: number
  readonly none: string
}

export function Shares({ shares, whole, none }: SharesProps) {
  if (shares === undefined) return <Outlines />
  if (shares.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  const most = whole ?? Math.max(...shares.map(({ size }) => size), 0)
  return (
    <ol className={classes.shares}>
      {shares.map(({ key, name, size, value, note }) => (
        <li key={key} className={classes.share}>
          <div className={classes.shareName}>{name}</div>
          <div>
            {value} <span className="muted">{note}</span>
          </div>
          <div className={classes.bar} aria-hidden>
            <div style={{ width: `${most > 0 ? Math.min(100, Math.max(0, (size / most) * 100)) : 0}%` }} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function Outlines() {
  return (
    <div className={classes.shares} aria-busy="true">
      {[90, 70, 55, 40, 30].map((width) => (
        <div key={width}>
          <Skeleton h={14} w={`${width}%`} my={4} />
          <Skeleton h={6} />
        </div>
      ))}
    </div>
  )
}
