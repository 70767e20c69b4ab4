// The outlines of pages that are still loading, so that nothing jumps when they arrive.
import { Group, Skeleton, Stack } from '@mantine/core'
import classes from './Skeletons.module.css'

export function PageSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true" p={{ base: 'md', sm: 'xl' }}>
      <Group justify="space-between">
        <Skeleton h={28} w={180} />
        <Skeleton h={34} w={110} />
      </Group>
      <RowsSkeleton rows={10} />
    </Stack>
  )
}

export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <Stack gap={10} aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines are all alike.
        <Skeleton key={row} h={30} />
      ))}
    </Stack>
  )
}

/** The outline of the signed-in pages: it leaves room for the navigation. */
export function ShellSkeleton() {
  return (
    <div className={classes.shell}>
      <div className={classes.navigation} />
      <PageSkeleton />
    </div>
  )
}
