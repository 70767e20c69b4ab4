// Shown in place of a list that has no match for its search and filters.
import { Button } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'
import { Empty } from '../../parts/Empty.tsx'
import { text } from '../../texts/records.ts'
import { useListState } from './list-state.ts'

export function NothingFits() {
  const [, change] = useListState()
  return (
    <Empty icon={IconTableOff} title={text.nothing} hint={text.nothingHint}>
      <Button variant="default" onClick={() => change({ q: '', f: {} })}>
        {text.clearFilters}
      </Button>
    </Empty>
  )
}
