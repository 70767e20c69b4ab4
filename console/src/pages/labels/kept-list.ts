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

const keyOf = (companyId: string): string => `cashwrap-labels-${companyId}`

function read(companyId: string): readonly Wanted[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(companyId)) ?? '[]')
  } catch {
    return []
  }
}

function keep(companyId: string, list: readonly Wanted[]): void {
  sessionStorage.setItem(keyOf(companyId), JSON.stringify(list))
}

/** Changes the list that is wanted now, which may be newer than the one that was rendered. */
export type ChangeWanted = (change: (wanted: readonly Wanted[]) => readonly Wanted[]) => void

export function useWanted(): readonly [readonly Wanted[], ChangeWanted] {
  const { companyId } = useScope()
  const [list, set] = useState(() => read(companyId))
  const latest = useRef(list)
  const change: ChangeWanted = (next) => {
    latest.current = firstOf(next(latest.current))
    keep(companyId, latest.current)
    set(latest.current)
  }
  return [list, change]
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
    keep(companyId, list)
    void navigate({ to: `/c/${companyId}/labels` })
  }
}
