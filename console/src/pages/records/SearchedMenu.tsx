// Chooses the member that a list is searched in, or all that can be searched.
import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useOpenAtOnce } from '../../parts/use-later.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { SearchedButton } from './SearchedButton.tsx'

interface SearchedMenuProps {
  readonly chosen: string
  readonly names: readonly string[]
  /** Takes an empty name for all members. */
  readonly choose: (name: string) => void
}

export function SearchedMenu({ chosen, names, choose }: SearchedMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <SearchedButton ref={button} chosen={chosen} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.searchIn}</Menu.Label>
        <Menu.Item onClick={() => choose('')}>{text.searchAll}</Menu.Item>
        {names.map((name) => (
          <Menu.Item key={name} onClick={() => choose(name)}>
            {labelOf(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
