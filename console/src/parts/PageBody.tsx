// The width of a page's content: a column of reading width, or the full width for tables.
import type { ReactNode } from 'react'
import classes from './PageBody.module.css'

interface PageBodyProps {
  /**
   * `narrow` for forms and settings, `middle` for two columns, `wide` for small tables; `full` for tables that end above the
   * window's lower edge; `sheet` ends at that edge itself.
   */
  readonly size?: 'narrow' | 'middle' | 'wide' | 'full' | 'sheet'
  readonly children: ReactNode
}

export function PageBody({ size = 'wide', children }: PageBodyProps) {
  return <div className={`${classes.body} ${classes[size]}`}>{children}</div>
}
