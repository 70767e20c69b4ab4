// Saving a sheet, as the page sees it: under way or not, and its result.
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { asProblem } from '../../api/problem.ts'
import { text } from '../../texts/sheet.ts'
import type { Edit, Edits } from './edits.ts'

/** The results of sent edits by cell: what is left of each; undefined if it is saved. */
export type Entries = readonly (readonly [key: string, sent: Edit, left: Edit | undefined])[]

/** Saves edits slice by slice and calls `settle` with the results of each. */
export type SaveEdits = (
  edits: readonly Edit[],
  settle: (entries: Entries) => void,
) => Promise<{ readonly saved: number; readonly refused: number }>

interface SavingParts {
  readonly edits: Edits
  readonly settle: (entries: Entries) => void
  readonly say: (message: string) => void
  readonly saveEdits: SaveEdits
}

export function useSaving({ edits, settle, say, saveEdits }: SavingParts) {
  // A mutation, so that the page notices an unreachable server.
  const { mutateAsync, isPending, error } = useMutation({ mutationFn: saveAll })
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
    } catch (error) {
      say(failureOf(error))
    }
  }

  function saveAll(sent: readonly Edit[]) {
    let done = 0
    return saveEdits(sent, (entries) => {
      done += entries.length
      settle(entries)
      if (done < sent.length) say(text.savingOf(done, sent.length))
    })
  }

  return { isSaving: isPending, failure: error ? failureOf(error) : undefined, save }
}

/** Why a save failed, in words that stay true until the next one: the server may soon be reached again. */
function failureOf(error: unknown): string {
  const { status, isUnreachable, message } = asProblem(error)
  // A user who is no longer signed in is asked for the password over the page; the cells stay as they are.
  if (status === 401) return ''
  return isUnreachable ? text.wasUnreachable : message
}
