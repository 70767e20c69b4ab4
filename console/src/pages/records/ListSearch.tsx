// The search of a list that holds it in the address; asks while it is typed, but not for each letter.
import { useDebouncedCallback } from '@mantine/hooks'
import { type ComponentProps, useEffect, useState } from 'react'
import { SearchInput } from '../../parts/SearchInput.tsx'
import { useListState } from './list-state.ts'

export function ListSearch(props: Omit<ComponentProps<typeof SearchInput>, 'onChange' | 'value'>) {
  const [{ q }, change] = useListState()
  const [typed, setTyped] = useState(q ?? '')
  const ask = useDebouncedCallback((wanted: string) => change({ q: wanted.trim() }), 250)
  // It was cleared elsewhere.
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
