// The room that a page's content has: a column of reading width, or all there is for tables.
import type { ReactNode } from 'react'
import classes from './PageBody.module.css'

/** `narrow` for forms and settings, `middle` for two columns, `wide` for small tables, `full` for those that end at the window's lower edge. */
export function PageBody({
  size = 'wide',
  children,
}: {
  size?: 'narrow' | 'middle' | 'wide' | 'full'
  children: ReactNode
}) {
  return <div className={`${classes.body} ${classes[size]}`}>{children}</div>
}
