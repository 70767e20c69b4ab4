// The menu of all filters that a list supports.
import { Menu } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useState } from 'react'
import { useOpenAtOnce } from '../../parts/use-later.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { AddButton, type AddFilterProps } from './FilterButtons.tsx'

export function AddFilterMenu({ button, kinds, add }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false)
  const ref = useMergedRef(
    button,
    useOpenAtOnce<HTMLButtonElement>(() => setOpen(true)),
  )
  return (
    <Menu position="bottom-start" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <AddButton ref={ref} />
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>{text.addFilter}</Menu.Label>
        {kinds.map(({ name }) => (
          <Menu.Item key={name} onClick={() => add(name)}>
            {labelOf(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
