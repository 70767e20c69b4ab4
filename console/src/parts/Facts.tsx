// The most important facts of a record, side by side: a strip of names and values at the top.
import type { ReactNode } from 'react'
import classes from './Facts.module.css'

type Fact = readonly [label: string, value: ReactNode]

/** Facts without a value are left out. `isList`: one below the other, as beside a page. */
export function Facts({ facts, isList = false }: { facts: readonly Fact[]; isList?: boolean }) {
  const shown = facts.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false)
  if (shown.length === 0) return null
  return (
    <dl className={isList ? classes.list : classes.strip}>
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
