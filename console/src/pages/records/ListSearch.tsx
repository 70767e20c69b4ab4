// The search of a list that keeps it in the address; requests are debounced while the user types.
import { useDebouncedCallback } from '@mantine/hooks'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { SearchInput } from '../../parts/SearchInput.tsx'
import { useListState } from './list-state.ts'

export function ListSearch(props: Omit<ComponentProps<typeof SearchInput>, 'onChange' | 'value'>) {
  const [{ q }, change] = useListState()
  const [typed, setTyped] = useState(q ?? '')
  const asked = useRef(q)
  const ask = useDebouncedCallback((wanted: string) => {
    asked.current = wanted.trim() || undefined
    change({ q: wanted.trim() })
  }, 250)
  // Cleared or replaced elsewhere.
  useEffect(() => {
    if (q === asked.current) return
    asked.current = q
    setTyped(q ?? '')
  }, [q])
  return (
    <SearchInput
      {...props}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        ask(next)
      }}
    />
  )
}
