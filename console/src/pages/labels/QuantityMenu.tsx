// Sets the number of labels of all variants: one each, or as many as an outlet has in stock.
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { text } from '../../texts/labels.ts'
import { type ChangeWanted, MOST_LABELS } from './kept-list.ts'
import type { LabelRow } from './use-labels.ts'

interface QuantityMenuProps {
  readonly rows: readonly LabelRow[]
  readonly setWanted: ChangeWanted
}

export function QuantityMenu({ rows, setWanted }: QuantityMenuProps) {
  const { data } = useQuery(someQuery(useScope(), 'outlets', { sortBy: 'name', sortOrder: 'asc', limit: 50 }))
  const set = (quantityOf: (row: LabelRow) => number) =>
    setWanted((wanted) =>
      wanted.map((one) => {
        const row = rows.find(({ variant }) => variant.id === one.variantId)
        return row === undefined ? one : { ...one, quantity: quantityOf(row) }
      }),
    )
  /** Parts of a unit get no label, and nor does what is missing. */
  const stockAt = (outletId: string) => (row: LabelRow) => {
    const stock = row.variant.inventory.find((level) => level.outletId === outletId)?.stock ?? 0
    return Math.min(MOST_LABELS, Math.max(0, Math.floor(stock)))
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" size="xs" rightSection={<IconChevronDown size={14} />}>
          {text.quantities}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Item onClick={() => set(() => 1)}>{text.oneEach}</Menu.Item>
        {data?.data.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => set(stockAt(id))}>
            {text.asStock(name)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => setWanted(() => [])}>
          {text.clear}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
