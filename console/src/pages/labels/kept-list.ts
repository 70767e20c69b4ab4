// The variants whose labels are to be printed, kept for the tab: other pages hand them over, and a reload loses none.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWhose } from '../../api/company.ts'

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

export function useWanted() {
  const { companyId } = useWhose()
  const [list, set] = useState(() => read(companyId))
  const change = (next: readonly Wanted[]) => {
    keep(companyId, next.slice(0, MOST_VARIANTS))
    set(next.slice(0, MOST_VARIANTS))
  }
  return [list, change] as const
}

/** Opens the page of labels with one label for each of these variants. */
export function usePrintLabels(): (variantIds: readonly string[]) => void {
  const { companyId } = useWhose()
  const navigate = useNavigate()
  return (variantIds) => {
    const list = [...new Set(variantIds)].slice(0, MOST_VARIANTS).map((variantId) => ({ variantId, quantity: 1 }))
    keep(companyId, list)
    void navigate({ to: `/c/${companyId}/labels` })
  }
}
