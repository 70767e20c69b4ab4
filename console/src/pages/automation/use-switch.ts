// Switches a trigger on or off, and updates what is shown of it.

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { complain, notify, warn } from '../../parts/notices.ts'
import { text } from '../../texts/automation.ts'
import { deliveriesOf, switchTrigger } from './triggers.ts'

/** `isDirty`: the settings have unsaved changes, which switching would conflict with. */
export function useSwitch({ id }: AutomationTrigger, isDirty = false) {
  const whose = useWhose()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)

  /** Whether it can be switched now; shows the reason if not. */
  function mayRun(): boolean {
    if (isDirty) warn(text.switchUnsaved)
    return !isDirty
  }

  async function run(isActive: boolean): Promise<void> {
    if (!mayRun()) return
    setBusy(true)
    try {
      await switchTrigger(whose, id, isActive)
      await refresh(client, whose.companyId, 'automation-triggers')
      await refresh(client, whose.companyId, deliveriesOf(id))
      notify(isActive ? text.switchedOn : text.switchedOff)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  return { run, mayRun, isBusy }
}
