// The line under the sheet that names the active cell and its stock.
import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconHistory } from '@tabler/icons-react'
import { text } from '../../texts/stock.ts'
import type { Edit } from './edits.ts'
import { shownQuantity } from './quantity.ts'
import classes from './StockPage.module.css'

interface CellLineProps {
  readonly label: string
  readonly stock: number | undefined
  readonly edit: Edit | undefined
  readonly canWrite: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly undo: () => void
  readonly redo: () => void
  readonly revert: () => void
  readonly history: () => void
}

export function CellLine(props: CellLineProps) {
  const { label, stock, edit, canWrite, canUndo, canRedo, undo, redo, revert, history } = props
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
      <Text size="sm" className="cut" flex={1} miw={0}>
        <bdi>{label}</bdi>
      </Text>
      {edit !== undefined && (
        <>
          <Text size="sm" className="numbers" style={{ whiteSpace: 'nowrap' }}>
            <Text span inherit c="dimmed">
              {stock === undefined ? '–' : shownQuantity(stock)} →{' '}
            </Text>
            {shownQuantity(edit.quantity)}
          </Text>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={revert}>
            {text.revert}
          </Button>
        </>
      )}
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
    </div>
  )
}
