// The line under the sheet that names the active cell and its value.
import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconHistory } from '@tabler/icons-react'
import { text } from '../../texts/sheet.ts'
import type { Edit } from './edits.ts'
import { shownIn, type ValueFormat } from './format.ts'
import classes from './SheetPage.module.css'

interface CellLineProps {
  readonly label: string
  readonly saved: number | undefined
  readonly edit: Edit | undefined
  readonly format: ValueFormat | undefined
  readonly canWrite: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly undo: () => void
  readonly redo: () => void
  readonly revert: () => void
  readonly history?: () => void
}

export function CellLine(props: CellLineProps) {
  const { label, saved, edit, format, canWrite, canUndo, canRedo, undo, redo, revert, history } = props
  return (
    <div className={classes.cellLine}>
      {canWrite && (
        <div className={classes.steps}>
          <Tooltip label={text.undo}>
            <ActionIcon size={28} aria-label={text.undo} disabled={!canUndo} onClick={undo}>
              <IconArrowBackUp size={16} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={text.redo}>
            <ActionIcon size={28} aria-label={text.redo} disabled={!canRedo} onClick={redo}>
              <IconArrowForwardUp size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      )}
      <Text
        size="sm"
        className={`cut ${classes.cellName}`}
        data-changed={edit !== undefined || undefined}
        flex={1}
        miw={0}
      >
        <bdi>{label}</bdi>
      </Text>
      {edit !== undefined && format !== undefined && (
        <>
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            <Text span inherit c="dimmed">
              {shownIn(format, saved)} →{' '}
            </Text>
            {shownIn(format, edit.value)}
          </Text>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={revert}>
            {text.revert}
          </Button>
        </>
      )}
      {history && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconHistory size={15} />}
          onClick={history}
          disabled={label === ''}
        >
          {text.history}
        </Button>
      )}
    </div>
  )
}
