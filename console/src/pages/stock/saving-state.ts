// The saving of the sheet as the page sees it: under way or not, with a reason, and what came of it.
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWhose } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import { refresh } from '../../api/records.ts'
import { text } from '../../texts/stock.ts'
import type { Edit, Edits } from './edits.ts'
import { showLevels } from './rows.ts'
import { saveEdits } from './saving.ts'

interface SavingParts {
  readonly edits: Edits
  readonly settle: (entries: readonly (readonly [string, Edit, Edit | undefined])[]) => void
  readonly say: (message: string) => void
}

export function useSaving({ edits, settle, say }: SavingParts) {
  const whose = useWhose()
  const client = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [reason, setReason] = useState('')
  const latest = useRef(edits)
  useEffect(() => {
    latest.current = edits
  }, [edits])

  /** Saves all. `isLater`: what was typed last is only among the edits after the next drawing. */
  async function save(isLater: boolean): Promise<void> {
    if (isLater) await new Promise((drawn) => requestAnimationFrame(drawn))
    const sent = [...latest.current.values()]
    if (sent.length === 0 || isSaving) return
    setSaving(true)
    say(text.saving)
    let done = 0
    try {
      const { saved, refused } = await saveEdits(whose, sent, reason.trim(), (part) => {
        done += part.entries.length
        showLevels(client, whose, part.levels)
        settle(part.entries)
        if (done < sent.length) say(text.savingOf(done, sent.length))
      })
      say(refused === 0 ? text.saved(saved) : text.savedSome(saved, refused))
      if (refused === 0) setReason('')
    } catch (error) {
      const problem = asProblem(error)
      say(problem.message)
      notifications.show({ title: text.refusedTitle, message: problem.message, color: 'red' })
    } finally {
      setSaving(false)
      void refresh(client, whose.companyId, 'inventories')
      void refresh(client, whose.companyId, 'inventory-history')
      // The sheet itself knows already.
      void client.invalidateQueries({
        queryKey: [whose.companyId, 'variants'],
        predicate: ({ queryKey }) => queryKey[2] !== 'stock',
      })
    }
  }

  return { isSaving, reason, setReason, save }
}
