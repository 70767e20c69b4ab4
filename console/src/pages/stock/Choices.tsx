// The filters of the stock sheet: only low stock, and the visible outlets.
import { Button, Menu, Text } from '@mantine/core'
import { IconBuildingStore } from '@tabler/icons-react'
import { useState } from 'react'
import { NumberText } from '../../parts/NumberText.tsx'
import type { Head } from '../../parts/sheet/format.ts'
import type { View } from '../../parts/sheet/rows.ts'
import classes from '../../parts/sheet/SheetPage.module.css'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/stock.ts'

interface LowStockProps {
  readonly view: View
  readonly onView: (view: View) => void
}

export function LowStock({ view: { productId, below }, onView }: LowStockProps) {
  const [unread, setUnread] = useState<Unreadable>()
  return (
    <NumberText
      className={classes.below}
      leftSection={
        <Text size="sm" c="dimmed">
          {text.below}
        </Text>
      }
      leftSectionWidth={56}
      aria-label={text.belowLabel}
      value={unread ?? below}
      onChange={(least) => {
        setUnread(least instanceof Unreadable ? least : undefined)
        if (!(least instanceof Unreadable))
          onView({
            ...(productId !== undefined && { productId }),
            ...(least !== undefined && { below: Number(least) }),
          })
      }}
    />
  )
}

interface OutletMenuProps {
  readonly outlets: readonly Head[]
  readonly hidden: readonly string[]
  readonly onHidden: (ids: readonly string[]) => void
}

export function OutletMenu({ outlets, hidden, onHidden }: OutletMenuProps) {
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBuildingStore size={16} />}>
          {text.outlets}
          {hidden.length > 0 && ` ${outlets.length - hidden.length}/${outlets.length}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} maw={300} style={{ overflowY: 'auto' }}>
        <Menu.Label>{text.outletsHint}</Menu.Label>
        {outlets.map(({ id, name }) => {
          const isShown = !hidden.includes(id)
          return (
            <Menu.CheckboxItem
              key={id}
              checked={isShown}
              // At least one outlet stays visible.
              disabled={isShown && hidden.length === outlets.length - 1}
              onChange={() => onHidden(isShown ? [...hidden, id] : hidden.filter((one) => one !== id))}
            >
              <bdi className="name">{name}</bdi>
            </Menu.CheckboxItem>
          )
        })}
        <Menu.Divider />
        <Menu.Item onClick={() => onHidden([])}>{text.allOutlets}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
