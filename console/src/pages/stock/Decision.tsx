// Shown at a cell that was not saved: the current stock, and the choice between it and the typed quantity.
import { Button, Group, Popover, Text } from '@mantine/core'
import { text } from '../../texts/stock.ts'
import type { Edit } from './edits.ts'
import { shownQuantity } from './quantity.ts'
import { problemOf } from './StockCell.tsx'
import type { CellPlace } from './StockGrid.tsx'

interface DecisionProps {
  readonly edit: Edit
  readonly stock: number | undefined
  readonly place: CellPlace
  readonly overwrite: () => void
  readonly take: () => void
  /** Returns to the cell. */
  readonly leave: () => void
}

export const decisionId = 'decision'

export function Decision({ edit, stock = 0, place, overwrite, take, leave }: DecisionProps) {
  const [now, expected, typed] = [stock, edit.expected, edit.quantity].map(shownQuantity) as [string, string, string]
  const isConflict = problemOf(edit, stock) === 'conflict'
  return (
    <Popover
      opened
      withRoles={false}
      trapFocus={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      position="bottom-start"
      shadow="md"
      width={300}
      withArrow
    >
      <Popover.Target>
        <div style={{ position: 'absolute', pointerEvents: 'none', ...place }} />
      </Popover.Target>
      <Popover.Dropdown
        id={decisionId}
        role="dialog"
        aria-label={isConflict ? text.conflictTitle : text.refusedTitle}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          leave()
        }}
      >
        <Text size="sm" fw={600}>
          {isConflict ? text.conflictTitle : text.refusedTitle}
        </Text>
        <Text size="sm" mt={2} className="numbers">
          {isConflict ? text.conflict(now, expected, typed) : edit.refusal}
        </Text>
        <Group gap="xs" mt="sm">
          {isConflict && (
            <Button size="xs" onClick={overwrite}>
              {text.overwrite(typed)}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={take}>
            {text.take(now)}
          </Button>
        </Group>
        <Text size="xs" c="dimmed" mt={8} visibleFrom="sm">
          {text.conflictKeys}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}
