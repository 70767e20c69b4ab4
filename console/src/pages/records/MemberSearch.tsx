// Searches a list of records by one member at a time, as the API's lists do; “/” focuses it.
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
  const member = searchedIn(resource, state)
  const { search } = resource.list

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

  if (member === undefined) return null
  return (
    <ListSearch
      ref={input}
      label={text.search(labelOf(member))}
      rightSectionWidth={search.length > 1 ? 96 : 0}
      rightSection={
        search.length > 1 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                aria-label={`${text.searchIn}: ${labelOf(member)}`}
              >
                {labelOf(member)}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{text.searchIn}</Menu.Label>
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
