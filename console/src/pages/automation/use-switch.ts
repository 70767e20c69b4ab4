// Switches a trigger on or off, and brings what is shown of it up to date.
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { type RecordData, refresh } from '../../api/records.ts'
import { text } from '../../texts/automation.ts'
import { deliveriesOf, switchTrigger } from './triggers.ts'

/** `isDirty`: the settings have changes that are not saved, over which they would change. */
export function useSwitch({ id }: RecordData, isDirty = false) {
  const whose = useWhose()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)

  /** Whether it can be switched now; says why where it cannot. */
  function mayRun(): boolean {
    if (isDirty) notifications.show({ message: text.switchUnsaved, color: 'yellow' })
    return !isDirty
  }

  async function run(isActive: boolean): Promise<void> {
    if (!mayRun()) return
    setBusy(true)
    try {
      await switchTrigger(whose, id, isActive)
      await refresh(client, whose.companyId, 'automation-triggers')
      await refresh(client, whose.companyId, deliveriesOf(id))
      notifications.show({ message: isActive ? text.switchedOn : text.switchedOff, color: 'teal' })
    } catch (error) {
      notifications.show({ message: asProblem(error).message, color: 'red' })
    } finally {
      setBusy(false)
    }
  }
  return { run, mayRun, isBusy }
}
