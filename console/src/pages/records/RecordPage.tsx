// The page of a record of any resource, with a view above its form for some resources.
import type { ReactNode } from 'react'
import { useParam } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import { type Resource, useResources } from '../../api/resources.ts'
import { useOnlyPlaces } from '../../parts/only-place.ts'
import type { RecordNote } from '../../parts/RecordForm.tsx'
import type { Inputs } from '../../parts/RecordSection.tsx'
import { PageSkeleton } from '../../parts/Skeletons.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { AttachmentFile, NewAttachmentFile } from '../attachments/AttachmentFile.tsx'
import { SalePriceNote } from '../products/SalePriceNote.tsx'
import { PermissionMatrix } from '../roles/PermissionMatrix.tsx'
import { RoleNameNote } from '../roles/RoleNameNote.tsx'
import { MovementNote, movementInputs } from '../sessions/movement-form.tsx'
import { SessionActions } from '../sessions/SessionActions.tsx'
import { TillReport } from '../sessions/TillReport.tsx'
import { CustomerView } from './CustomerView.tsx'
import { isCreatable } from './creatable.ts'
import { NewRecord, OneRecord } from './OneRecord.tsx'
import { SessionView } from './SessionView.tsx'
import { PaymentNote, SessionNote, StoredMovementNote } from './settled-notes.tsx'
import { TransactionView } from './TransactionView.tsx'

/** Views above the form, for resources that need more than the form. */
const views: Readonly<Record<string, (props: Versioned) => ReactNode>> = {
  customers: CustomerView,
  sessions: SessionView,
  transactions: TransactionView,
  attachments: AttachmentFile,
}

/** What a new record can begin with, above its form. */
const beginnings: Readonly<Record<string, () => ReactNode>> = { attachments: NewAttachmentFile }

/** Initial values of a new record that are the same in every shop. */
const initials: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { stations: { status: 'AVAILABLE' } }

/** Actions in the head. */
const actions: Readonly<Record<string, (props: Versioned) => ReactNode>> = { sessions: SessionActions }

/** Inputs in place of the generated ones. */
const inputsOf: Readonly<Record<string, Inputs>> = {
  roles: { permissions: PermissionMatrix },
  'cash-movements': movementInputs,
  sessions: { closingReportData: TillReport },
}

/** What forms say about the values that are typed. */
const notes: Readonly<Record<string, RecordNote>> = {
  'cash-movements': MovementNote,
  roles: RoleNameNote,
  sessions: SessionNote,
  transactions: PaymentNote,
  variants: SalePriceNote,
}

export function RecordPage() {
  const many = useParam('many')
  const id = useParam('id')
  const resource = useResources().find((one) => one.many === many)
  const View = views[many]
  const Actions = actions[many]
  const inputs = inputsOf[many]
  if (resource === undefined || (id === 'new' && !isCreatable(resource))) return <NotFound />
  if (id === 'new') return <NewRecordPage key={many} resource={resource} />
  return (
    <OneRecord
      key={id}
      resource={resource}
      id={id}
      inputs={inputs}
      Note={many === 'cash-movements' ? StoredMovementNote : notes[many]}
      {...(Actions && { actions: (versioned) => <Actions {...versioned} /> })}
    >
      {View && ((versioned) => <View {...versioned} />)}
    </OneRecord>
  )
}

function NewRecordPage({ resource }: { resource: Resource }) {
  const { many } = resource
  const places = useOnlyPlaces(resource)
  const Beginning = beginnings[many]
  if (places === undefined) return <PageSkeleton />
  return (
    <NewRecord
      resource={resource}
      inputs={inputsOf[many]}
      Note={notes[many]}
      initial={{ ...initials[many], ...places }}
    >
      {Beginning && <Beginning />}
    </NewRecord>
  )
}
