// The search of a list that keeps it in the address; requests are debounced while the user types.
import { useDebouncedCallback } from '@mantine/hooks'
import { type ComponentProps, useEffect, useState } from 'react'
import { SearchInput } from '../../parts/SearchInput.tsx'
import { useListState } from './list-state.ts'

export function ListSearch(props: Omit<ComponentProps<typeof SearchInput>, 'onChange' | 'value'>) {
  const [{ q }, change] = useListState()
  const [typed, setTyped] = useState(q ?? '')
  const ask = useDebouncedCallback((wanted: string) => change({ q: wanted.trim() }), 250)
  // Cleared elsewhere.
  useEffect(() => {
    if (q === undefined) setTyped('')
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
