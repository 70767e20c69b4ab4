// Which variants the sheet shows, kept in the address, so that it can be shared and linked to.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { View } from './rows.ts'

/** The view in the address, and a function to change it. Malformed parts are ignored. */
export function useView(): readonly [View, (view: View) => void] {
  const { productId, q, below }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const view = useMemo((): View => {
    const least = Number(below)
    return {
      ...(typeof productId === 'string' && productId !== '' && { productId }),
      ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
      ...(below !== undefined && below !== '' && Number.isFinite(least) && { below: least }),
    }
  }, [productId, q, below])
  const change = useCallback(
    (next: View) => void navigate({ to: '.', search: next as never, replace: true }),
    [navigate],
  )
  return [view, change]
}

export const isNarrowed = (view: View): boolean => Object.keys(view).length > 0
