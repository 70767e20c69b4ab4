// The state of an import as a coloured badge, with the progress of one that is under way.
import { Badge } from '@mantine/core'
import type { Import } from '../../api/schemas.ts'
import { percent } from '../../parts/format.ts'
import { text } from '../../texts/imports.ts'
import { isUnderWay } from './import-job.ts'

const colors = {
  checking: 'blue',
  ready: 'iris',
  running: 'blue',
  done: 'teal',
  failed: 'red',
  cancelled: 'gray',
  undoing: 'blue',
  undone: 'gray',
}

export function State({ job }: { job: Import }) {
  return (
    <Badge color={colors[job.state]}>
      {text.states[job.state] ?? job.state}
      {isUnderWay(job) && job.progress > 0 && ` ${percent(Math.floor(job.progress * 100) / 100)}`}
    </Badge>
  )
}
