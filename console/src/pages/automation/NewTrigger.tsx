// The form of a new trigger; its secret is shown before the page moves on to the trigger.
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import { useResource } from '../../api/resources.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RecordForm } from '../../parts/RecordForm.tsx'
import { text } from '../../texts/automation.ts'
import { SecretShown } from './SecretShown.tsx'
import { triggerInputs, triggerSections } from './trigger-form.tsx'
import { newSecret } from './triggers.ts'

export function NewTrigger() {
  const scope = useScope()
  const router = useRouter()
  const resource = useResource('automation-triggers')
  const sections = triggerSections(resource, false)
  // Calls are signed unless the secret is removed.
  const [initial] = useState(() => ({ apiKey: newSecret() }))
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const list = `/c/${scope.companyId}/automation`

  const open = (id: string) => void router.navigate({ to: `${list}/${id}`, replace: true, ignoreBlocker: true })

  function saved({ record: { id, apiKey } }: Versioned) {
    if (apiKey === undefined) open(id)
    else setMade({ id, secret: apiKey })
  }

  return (
    <PageBody size="narrow">
      <PageHeader title={text.newTrigger} above={{ label: text.title, to: list }} />
      <RecordForm resource={resource} initial={initial} sections={sections} inputs={triggerInputs} onSaved={saved} />
      <SecretShown secret={made?.secret} close={() => made && open(made.id)} />
    </PageBody>
  )
}
