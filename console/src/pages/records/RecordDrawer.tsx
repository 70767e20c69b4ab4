// The form of a record beside the page it belongs to; closing it asks first where something typed would be lost.
import { Drawer } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { recordQuery, type Versioned } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import type { Values } from '../../parts/draft.ts'
import { Failure } from '../../parts/Failure.tsx'
import { RecordForm } from '../../parts/RecordForm.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import type { Section } from '../../parts/sections.ts'
import { LeaveQuestion } from '../../parts/unsaved.tsx'
import classes from './RecordDrawer.module.css'

interface RecordDrawerProps {
  readonly resource: Resource
  /** `new` makes one; undefined: the drawer is closed. */
  readonly id: string | undefined
  readonly title: ReactNode
  readonly close: () => void
  readonly initial?: Values
  readonly sections?: readonly Section[]
  readonly onSaved?: (versioned: Versioned, isNew: boolean) => void
  /** Stands above the form. */
  readonly children?: ReactNode
}

export function RecordDrawer({ resource, id, title, close, initial, sections, onSaved, children }: RecordDrawerProps) {
  // Not a state: a key that is pressed right after another must not be answered by what was drawn before both.
  const isDirty = useRef(false)
  const [isAsking, setAsking] = useState(false)

  function end() {
    setAsking(false)
    isDirty.current = false
    close()
  }

  const leave = () => (isDirty.current ? setAsking(true) : end())

  // Escape closes what lies on top: a list, a question over the drawer, and only then the drawer.
  useWindowEvent(
    'keydown',
    (event) => {
      const isTyping = event.isComposing || (event.target as HTMLElement).dataset?.mantineStopPropagation === 'true'
      const isOnTop = id !== undefined && !isAsking && document.querySelectorAll('[role="dialog"]').length === 1
      // After this key: the question would take it for its own.
      if (event.key === 'Escape' && isOnTop && !isTyping) setTimeout(leave)
    },
    { capture: true },
  )

  return (
    <>
      <Drawer
        opened={id !== undefined}
        onClose={leave}
        closeOnEscape={false}
        title={<span className="name">{title}</span>}
        size="lg"
        classNames={classes}
      >
        {children}
        {id !== undefined && (
          <Content
            key={id}
            resource={resource}
            id={id}
            initial={initial}
            sections={sections}
            onDirty={(is) => {
              isDirty.current = is
            }}
            onSaved={(versioned, isNew) => {
              onSaved?.(versioned, isNew)
              end()
            }}
          />
        )}
      </Drawer>
      {/* After this key, too: the drawer would take it for its own. */}
      <LeaveQuestion opened={isAsking} stay={() => setTimeout(setAsking, 0, false)} leave={end} />
    </>
  )
}

interface ContentProps {
  readonly resource: Resource
  readonly id: string
  readonly initial: Values | undefined
  readonly sections: readonly Section[] | undefined
  readonly onDirty: (isDirty: boolean) => void
  readonly onSaved: (versioned: Versioned, isNew: boolean) => void
}

function Content({ resource, id, initial, sections, onDirty, onSaved }: ContentProps) {
  const whose = useWhose()
  const isNew = id === 'new'
  const { data, error, refetch } = useQuery({
    ...recordQuery(whose, resource.one, resource.many, id),
    enabled: !isNew,
  })
  if (!isNew && data === undefined)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={8} />
  return (
    <RecordForm
      resource={resource}
      versioned={isNew ? undefined : data}
      {...(initial && { initial })}
      {...(sections && { sections })}
      onDirty={onDirty}
      onSaved={onSaved}
    />
  )
}
