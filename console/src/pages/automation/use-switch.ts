// Switches a trigger on or off, and updates what is shown of it.

import { useQueryClient } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { refresh } from '../../api/records.ts'
import type { AutomationTrigger } from '../../api/schemas.ts'
import { notify, warn } from '../../parts/notices.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/automation.ts'
import { deliveriesOf, switchTrigger } from './triggers.ts'

/** `isDirty`: the settings have unsaved changes, which switching would conflict with. */
export function useSwitch({ id }: AutomationTrigger, isDirty = false) {
  const scope = useScope()
  const client = useQueryClient()
  const { isBusy, run: act } = useAction()

  /** Whether it can be switched now; shows the reason if not. */
  function mayRun(): boolean {
    if (isDirty) warn(text.switchUnsaved)
    return !isDirty
  }

  async function run(isActive: boolean): Promise<void> {
    if (!mayRun()) return
    await act(async () => {
      await switchTrigger(scope, id, isActive)
      await refresh(client, scope.companyId, 'automation-triggers')
      await refresh(client, scope.companyId, deliveriesOf(id))
      notify(isActive ? text.switchedOn : text.switchedOff)
    })
  }
  return { run, mayRun, isBusy }
}
