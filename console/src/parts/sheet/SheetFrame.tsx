// The frame of a page with a sheet: title, number of variants, Ctrl+S, and a guard for what is not saved.
import { Text } from '@mantine/core'
import { type ReactNode, type RefObject, useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { text } from '../../texts/sheet.ts'
import { useFormat } from '../format.ts'
import { PageBody } from '../PageBody.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { LeaveGuard } from '../unsaved.tsx'
import type { VariantSheetState } from './variant-sheet.ts'

interface SheetFrameProps {
  readonly page: RefObject<HTMLDivElement | null>
  readonly title: string
  readonly state: VariantSheetState
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function SheetFrame({ page, title, state, actions, children }: SheetFrameProps) {
  const format = useFormat()
  const count = state.list.data?.pages[0]?.count
  useSaveKey(() => state.canWrite && void state.saveAll())
  return (
    <div ref={page}>
      <PageBody size="sheet">
        <LeaveGuard isDirty={state.edits.size > 0} />
        <PageHeader
          title={title}
          aside={
            count !== undefined && (
              <Text c="dimmed" size="sm">
                {text.variants(count, format.number(count))}
              </Text>
            )
          }
        >
          {actions}
        </PageHeader>
        {children}
      </PageBody>
    </div>
  )
}

/**
 * Ctrl+S saves, whatever has the focus: after a dialog, nothing has it, and the browser would save the page as a file. Over an
 * open dialog it does nothing: what the dialog asks comes first.
 */
function useSaveKey(save: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    if (document.querySelector('[aria-modal="true"]') === null) save()
  })
  useEffect(() => {
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

/** The same function in every render, which calls the latest one. */
export function useLatest<Argument, Result>(run: (argument: Argument) => Result): (argument: Argument) => Result {
  const latest = useRef(run)
  latest.current = run
  return useCallback((argument: Argument) => latest.current(argument), [])
}
