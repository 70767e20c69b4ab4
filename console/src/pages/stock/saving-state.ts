// Saving the sheet, as the page sees it: under way or not, with a reason, and its result.
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
  // A mutation, so that the page notices an unreachable server.
  const { mutateAsync, isPending, error } = useMutation({ mutationFn: saveAll })
  const [reason, setReason] = useState('')
  const latest = useRef(edits)
  useEffect(() => {
    latest.current = edits
  }, [edits])

  /** Saves all. `isLater`: the last input is among the edits only after the next render. */
  async function save(isLater: boolean): Promise<void> {
    if (isLater) await new Promise((drawn) => requestAnimationFrame(drawn))
    const sent = [...latest.current.values()]
    if (sent.length === 0 || isPending) return
    say(text.saving)
    try {
      const { saved, refused } = await mutateAsync(sent)
      say(refused === 0 ? text.saved(saved) : text.savedSome(saved, refused))
      if (refused === 0) setReason('')
    } catch (error) {
      // A user who is no longer signed in is asked for the password over the page; the cells stay as they are.
      say(asProblem(error).status === 401 ? '' : asProblem(error).message)
    } finally {
      void refresh(client, whose.companyId, 'inventories')
      void refresh(client, whose.companyId, 'inventory-history')
      // The sheet itself is already up to date.
      void client.invalidateQueries({
        queryKey: [whose.companyId, 'variants'],
        predicate: ({ queryKey }) => queryKey[2] !== 'stock',
      })
    }
  }

  function saveAll(sent: readonly Edit[]) {
    let done = 0
    return saveEdits(whose, sent, reason.trim(), (part) => {
      done += part.entries.length
      showLevels(client, whose, part.levels)
      settle(part.entries)
      if (done < sent.length) say(text.savingOf(done, sent.length))
    })
  }

  return { isSaving: isPending, failure: error ? asProblem(error).message : undefined, reason, setReason, save }
}
