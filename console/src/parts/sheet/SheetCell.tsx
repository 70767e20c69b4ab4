// One cell of the saved sheet: its saved value, the typed one, and the problem with it.
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react'
import { memo, useLayoutEffect, useRef } from 'react'
import { text } from '../../texts/sheet.ts'
import type { Edit } from './edits.ts'
import { shownIn, type ValueFormat } from './format.ts'
import classes from './SheetGrid.module.css'

/** An open editor of a cell. */
export interface Editing {
  readonly text: string
  /** Opened by typing: arrow keys move to the next cell. Otherwise they move in the text. */
  readonly isQuick: boolean
  readonly isWrong: boolean
}

interface SheetCellProps {
  readonly column: number
  readonly left: number
  readonly width: number
  readonly saved: number | undefined
  readonly edit: Edit | undefined
  readonly isMuted: boolean
  readonly format: ValueFormat
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly isFillCorner: boolean
  readonly editing: Editing | undefined
  readonly label: string
  readonly onType: (text: string) => void
  readonly onLeave: () => void
}

/** A conflict: another value was saved since this one was typed. A refusal comes from the server. */
export const problemOf = (edit: Edit | undefined, saved: number | undefined): 'conflict' | 'refused' | undefined => {
  if (edit === undefined) return undefined
  if (edit.expected !== saved) return 'conflict'
  return edit.refusal === undefined ? undefined : 'refused'
}

export const SheetCell = memo(function SheetCell(props: SheetCellProps) {
  const { column, left, width, saved, edit, isMuted, format, isActive, isSelected, isFillCorner, editing } = props
  const problem = problemOf(edit, saved)
  const Sign = problem === 'conflict' ? IconUsers : IconAlertTriangle
  return (
    // biome-ignore lint/a11y/useSemanticElements: cells of a sheet are virtual; a table would have to contain all of them.
    <div
      role="gridcell"
      className={classes.cell}
      style={{ left, width }}
      tabIndex={isActive ? 0 : -1}
      aria-colindex={column + 3}
      aria-selected={isSelected || isActive}
      data-column={column}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-changed={edit !== undefined || undefined}
      data-problem={problem}
      data-muted={isMuted || undefined}
    >
      {problem !== undefined && <Sign size={14} aria-hidden className={classes.sign} data-kind={problem} />}
      {edit !== undefined && problem === undefined && (
        <span className={classes.before} aria-hidden>
          {saved === undefined ? '' : format.shown(saved)}
        </span>
      )}
      {edit !== undefined ? (
        shownIn(format, edit.value)
      ) : saved === undefined ? (
        <span className={classes.none}>–</span>
      ) : (
        format.shown(saved)
      )}
      {edit !== undefined && (
        <span className={classes.hidden}>
          {` ${
            problem === 'conflict'
              ? text.nowIs(shownIn(format, saved))
              : problem === 'refused'
                ? text.refusedCell
                : text.was(shownIn(format, saved))
          }, ${text.notSaved}`}
        </span>
      )}
      {editing && <Editor {...props} editing={editing} />}
      {isFillCorner && !editing && <div className={classes.handle} data-handle aria-hidden />}
    </div>
  )
})

function Editor({ editing, label, onType, onLeave }: SheetCellProps & { readonly editing: Editing }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const { current } = input
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  return (
    <input
      ref={input}
      className={classes.input}
      value={editing.text}
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={onLeave}
      inputMode="decimal"
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      aria-invalid={editing.isWrong}
    />
  )
}
