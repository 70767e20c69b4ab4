// The form of a record in a drawer beside its page.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useScope } from '../../api/company.ts'
import { recordQuery, type Versioned } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import type { Values } from '../../parts/draft.ts'
import { Failure } from '../../parts/Failure.tsx'
import { FormDrawer } from '../../parts/FormDrawer.tsx'
import { RecordForm, type RecordNote } from '../../parts/RecordForm.tsx'
import type { Inputs } from '../../parts/RecordSection.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import type { Section } from '../../parts/sections.ts'
import { type Kept, useKept } from '../../parts/submission.ts'

interface ContentProps {
  readonly resource: Resource
  /** `new` creates one. */
  readonly id: string
  readonly initial?: Values | undefined
  readonly sections?: readonly Section[] | undefined
  readonly inputs?: Inputs
  readonly Note?: RecordNote
  readonly onSaved?: ((versioned: Versioned, isNew: boolean) => void) | undefined
}

interface RecordDrawerProps extends Omit<ContentProps, 'id'> {
  /** Undefined: the drawer is closed. */
  readonly id: string | undefined
  readonly title: ReactNode
  readonly close: () => void
  /** Shown above the form. */
  readonly children?: ReactNode
}

export function RecordDrawer({ id, title, close, onSaved, children, ...content }: RecordDrawerProps) {
  // Kept here: a record whose response was lost is not created twice if the drawer was closed, or the page reloaded, meanwhile.
  const kept = useKept(`cashwrap-new-${useScope().companyId}-${content.resource.many}`)
  return (
    <FormDrawer isOpen={id !== undefined} title={title} close={close}>
      {({ onDirty, end }) => (
        <>
          {children}
          <Content
            key={id}
            {...content}
            id={id as string}
            kept={kept}
            onDirty={onDirty}
            onSaved={(versioned, isNew) => {
              onSaved?.(versioned, isNew)
              end()
            }}
          />
        </>
      )}
    </FormDrawer>
  )
}

function Content({ id, ...props }: ContentProps & { onDirty: (isDirty: boolean) => void; kept: Kept }) {
  const { one, many } = props.resource
  const isNew = id === 'new'
  const { data, error, refetch } = useQuery({ ...recordQuery(useScope(), one, many, id), enabled: !isNew })
  if (!isNew && data === undefined)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={8} />
  return <RecordForm {...props} versioned={isNew ? undefined : data} />
}
