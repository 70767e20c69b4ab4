// The outline of the sheet while its rows and heads are loading.
import { Skeleton } from '@mantine/core'
import classes from './SheetGrid.module.css'

export function SheetOutline() {
  return (
    <div className={`${classes.frame} ${classes.whole}`} aria-busy="true">
      <div className={classes.head} />
      {Array.from({ length: 14 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike.
        <div key={row} className={classes.outline}>
          <Skeleton h={13} w={`${18 + ((row * 7) % 14)}%`} />
          <Skeleton h={13} w={110} ml="auto" />
          <Skeleton h={13} w={48} ml={40} />
          <Skeleton h={13} w={48} ml={40} mr={8} />
        </div>
      ))}
    </div>
  )
}
