// Shown at a cell that was not saved: the current saved, and the choice between it and the typed value.
import { Button, Group, Popover, Text } from '@mantine/core'
import { text } from '../../texts/sheet.ts'
import type { Edit } from './edits.ts'
import { shownIn, type ValueFormat } from './format.ts'
import { problemOf } from './SheetCell.tsx'
import type { CellPlace } from './SheetGrid.tsx'

interface DecisionProps {
  readonly edit: Edit
  readonly saved: number | undefined
  readonly format: ValueFormat
  readonly place: CellPlace
  readonly overwrite: () => void
  readonly take: () => void
  /** Returns to the cell. */
  readonly leave: () => void
}

export const decisionId = 'decision'

export function Decision({ edit, saved, format, place, overwrite, take, leave }: DecisionProps) {
  const [now, expected, typed] = [saved, edit.expected, edit.value].map((value) => shownIn(format, value)) as [
    string,
    string,
    string,
  ]
  const isConflict = problemOf(edit, saved) === 'conflict'
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
        <Text size="sm" mt={2}>
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
