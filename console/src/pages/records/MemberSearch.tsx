// Searches a list of records in all members that can be searched, or in one of them; “/” focuses it.
import { Button, Menu } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Resource } from '../../api/resources.ts'
import { isSearchKey } from '../../parts/typing.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { ListSearch } from './ListSearch.tsx'
import { searchedIn, useListState } from './list-state.ts'

export function MemberSearch({ resource }: { resource: Resource }) {
  const [state, change] = useListState()
  const input = useRef<HTMLInputElement>(null)
  const { search } = resource.list
  const members = searchedIn(resource, state)
  const names = members.map(labelOf).join(', ')
  const chosen = members.length > 1 ? text.searchAll : names

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
        search.length > 1 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="subtle" color="gray" size="compact-xs" aria-label={`${text.searchIn}: ${chosen}`}>
                {chosen}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{text.searchIn}</Menu.Label>
              <Menu.Item onClick={() => change({ in: '' })}>{text.searchAll}</Menu.Item>
              {search.map((name) => (
                <Menu.Item key={name} onClick={() => change({ in: name })}>
                  {labelOf(name)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )
      }
    />
  )
}
