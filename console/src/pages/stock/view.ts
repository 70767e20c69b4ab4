// Which variants the sheet shows, held in the address: so it can be sent to somebody, and other pages can lead to it.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { View } from './rows.ts'

/** The view in the address, and the way to another one. What is not well-formed is passed over. */
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
