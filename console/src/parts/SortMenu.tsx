// The menu that sorts the cards of a table, loaded when it is first opened.
import { Menu } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import type { Column } from './DataRow.tsx'
import { type Sort, SortButton } from './SortButton.tsx'
import { useOpenAtOnce } from './use-later.ts'

interface SortMenuProps<Row> {
  readonly face: Pick<ComponentProps<typeof SortButton>, 'title' | 'isDescending'>
  readonly sortable: readonly Column<Row>[]
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort) => void
}

export function SortMenu<Row>({ face, sortable, sort, onSort }: SortMenuProps<Row>) {
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  return (
    <Menu position="bottom-start" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <SortButton ref={button} {...face} />
      </Menu.Target>
      <Menu.Dropdown>
        {sortable.map(({ key, title, sortKey = '' }) => (
          <Menu.Item
            key={key}
            onClick={() => onSort({ by: sortKey, isDescending: sortKey === sort?.by ? !sort.isDescending : false })}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
