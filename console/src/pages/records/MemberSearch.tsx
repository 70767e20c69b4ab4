// Searches a list of records in all members that can be searched, or in one of them; “/” focuses it.
import { useEffect, useRef } from 'react'
import type { Resource } from '../../api/resources.ts'
import { isSearchKey } from '../../parts/typing.ts'
import { useLater } from '../../parts/use-later.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { ListSearch } from './ListSearch.tsx'
import { searchedIn, useListState } from './list-state.ts'
import { SearchedButton } from './SearchedButton.tsx'

const load = () => import('./SearchedMenu.tsx')

export function MemberSearch({ resource }: { resource: Resource }) {
  const [state, change] = useListState()
  const input = useRef<HTMLInputElement>(null)
  const { search } = resource.list
  const members = searchedIn(resource, state)
  const names = members.map(labelOf).join(', ')
  const chosen = members.length > 1 ? text.searchAll : names
  const [menu, want] = useLater(load)

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (!isSearchKey(event)) return
      event.preventDefault()
      input.current?.focus()
    }
    // Before the search over everything, which the key opens on other pages.
    window.addEventListener('keydown', focus, { capture: true })
    return () => window.removeEventListener('keydown', focus, { capture: true })
  }, [])

  if (members.length === 0) return null
  return (
    <ListSearch
      ref={input}
      label={text.search(names)}
      rightSectionWidth={search.length > 1 ? 96 : 0}
      rightSection={
        search.length > 1 &&
        (menu === undefined ? (
          <SearchedButton chosen={chosen} aria-haspopup="menu" aria-expanded={false} onClick={want} />
        ) : (
          <menu.SearchedMenu chosen={chosen} names={search} choose={(name) => change({ in: name })} />
        ))
      }
    />
  )
}
