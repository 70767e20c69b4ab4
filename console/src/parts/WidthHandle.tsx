// The edge of a column's title, which makes the column wider or narrower: dragged, or by arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react'
import { text } from '../texts/records.ts'
import type { Column } from './DataRow.tsx'
import classes from './DataTable.module.css'

/** Pixels of a column: a word can be read, and no column takes the whole table. */
const least = 64
const most = 640
const step = 16

const within = (width: number): number => Math.round(Math.min(most, Math.max(least, width)))

interface WidthHandleProps<Row> {
  readonly column: Column<Row>
  readonly onWidth: (key: string, width: number) => void
}

export function WidthHandle<Row>({ column: { key, title, width }, onWidth }: WidthHandleProps<Row>) {
  /** Follows the pointer until it is released, from the width that the column has on the screen. */
  function begin(event: PointerEvent<HTMLElement>) {
    const handle = event.currentTarget
    const begun = event.clientX
    const had = handle.parentElement?.getBoundingClientRect().width ?? width
    event.preventDefault()
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => onWidth(key, within(had + clientX - begun))
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }

  function type(event: KeyboardEvent) {
    const change = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (change === undefined) return
    event.preventDefault()
    onWidth(key, within(width + change))
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved.
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={text.widthOf(title)}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      className={classes.width}
      onPointerDown={begin}
      onKeyDown={type}
    />
  )
}
