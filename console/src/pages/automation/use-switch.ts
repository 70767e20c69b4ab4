// Switches a trigger on or off, and brings what is shown of it up to date.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { type RecordData, refresh } from '../../api/records.ts'
import { complain, tell } from '../../parts/notices.ts'
import { text } from '../../texts/automation.ts'
import { deliveriesOf, switchTrigger } from './triggers.ts'

export function useSwitch({ id }: RecordData) {
  const whose = useWhose()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)

  async function run(isActive: boolean): Promise<void> {
    setBusy(true)
    try {
      await switchTrigger(whose, id, isActive)
      await refresh(client, whose.companyId, 'automation-triggers')
      await refresh(client, whose.companyId, deliveriesOf(id))
      tell(isActive ? text.switchedOn : text.switchedOff)
    } catch (error) {
      complain(error)
    } finally {
      setBusy(false)
    }
  }
  return { run, isBusy }
}
