// The settings of a trigger; a new secret is shown once it is saved.
import { Group, Text } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import type { Versioned } from '../../api/records.ts'
import { useResource } from '../../api/resources.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordForm } from '../../parts/RecordForm.tsx'
import { text as records } from '../../texts/records.ts'
import { ChosenSecret } from './SecretInput.tsx'
import { SecretShown } from './SecretShown.tsx'
import { triggerInputs, triggerSections } from './trigger-form.tsx'

interface TriggerSettingsProps {
  readonly versioned: Versioned
  /** Called with whether there is unsaved input. */
  readonly onDirty: (isDirty: boolean) => void
}

export function TriggerSettings({ versioned, onDirty }: TriggerSettingsProps) {
  const { record } = versioned
  const format = useFormat()
  const resource = useResource('automation-triggers')
  const sections = triggerSections(resource, record.triggerId !== undefined)
  const [shown, setShown] = useState<string>()
  // Kept until it is saved: the response to a change contains only the mask.
  const made = useRef<string>(undefined)
  const choose = useCallback((secret: string | undefined) => {
    made.current = secret
  }, [])

  return (
    <ChosenSecret value={choose}>
      <div style={{ maxWidth: 860 }}>
        <RecordForm
          resource={resource}
          versioned={versioned}
          sections={sections}
          inputs={triggerInputs}
          onDirty={onDirty}
          onSaved={() => {
            setShown(made.current)
            made.current = undefined
          }}
        >
          <Group gap="xl" c="dimmed" fz="sm" style={{ rowGap: 4 }}>
            <CopyValue value={record.id} />
            <Text inherit>{records.createdAt(format.dateTime(record.createdAt))}</Text>
            {record.updatedAt !== undefined && <Text inherit>{records.updatedAt(format.ago(record.updatedAt))}</Text>}
          </Group>
        </RecordForm>
        <SecretShown secret={shown} close={() => setShown(undefined)} isAnother={record.apiKey !== undefined} />
      </div>
    </ChosenSecret>
  )
}
