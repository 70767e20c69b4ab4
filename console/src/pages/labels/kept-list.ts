// The variants whose labels are to be printed, kept for the tab: other pages hand them over, and a reload loses none.
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useScope } from '../../api/company.ts'
import { warn } from '../../parts/notices.ts'
import { text } from '../../texts/labels.ts'

export interface Wanted {
  readonly variantId: string
  readonly quantity: number
}

/** Beyond that, a browser takes long to lay labels out. */
export const MOST_VARIANTS = 500
export const MOST_LABELS = 5_000

/** Where the list of a company is kept, and the one that it replaced. */
const keyOf = (companyId: string): string => `cashwrap-labels-${companyId}`
const replacedKeyOf = (companyId: string): string => `cashwrap-labels-replaced-${companyId}`

function read(key: string): readonly Wanted[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}

function keep(key: string, list: readonly Wanted[]): void {
  sessionStorage.setItem(key, JSON.stringify(list))
}

/** Changes the list that is wanted now, which may be newer than the one that was rendered. */
export type ChangeWanted = (change: (wanted: readonly Wanted[]) => readonly Wanted[]) => void

interface KeptList {
  readonly wanted: readonly Wanted[]
  readonly setWanted: ChangeWanted
  /** The list that another page replaced with this one; empty if there was none. */
  readonly replaced: readonly Wanted[]
  /** Brings the replaced list back in place of this one, or forgets it. */
  readonly endReplaced: (isUndone: boolean) => void
}

export function useWanted(): KeptList {
  const { companyId } = useScope()
  const [wanted, set] = useState(() => read(keyOf(companyId)))
  const [replaced, setReplaced] = useState(() => read(replacedKeyOf(companyId)))
  const latest = useRef(wanted)
  const setWanted: ChangeWanted = (next) => {
    latest.current = firstOf(next(latest.current))
    keep(keyOf(companyId), latest.current)
    set(latest.current)
  }
  return {
    wanted,
    setWanted,
    replaced,
    endReplaced: (isUndone) => {
      if (isUndone) setWanted(() => replaced)
      keep(replacedKeyOf(companyId), [])
      setReplaced([])
    },
  }
}

/** As many as there may be; says how many are left out. */
function firstOf(list: readonly Wanted[]): readonly Wanted[] {
  const over = list.length - MOST_VARIANTS
  if (over > 0) warn(text.leftOut(MOST_VARIANTS, over))
  return list.slice(0, MOST_VARIANTS)
}

/** Opens the page of labels with one label for each of these variants. */
export function usePrintLabels(): (variantIds: readonly string[]) => void {
  const { companyId } = useScope()
  const navigate = useNavigate()
  return (variantIds) => {
    const list = firstOf([...new Set(variantIds)].map((variantId) => ({ variantId, quantity: 1 })))
    const replaced = read(keyOf(companyId))
    // A list that may have been built by hand can be brought back.
    if (JSON.stringify(replaced) !== JSON.stringify(list)) keep(replacedKeyOf(companyId), replaced)
    keep(keyOf(companyId), list)
    void navigate({ to: `/c/${companyId}/labels` })
  }
}
