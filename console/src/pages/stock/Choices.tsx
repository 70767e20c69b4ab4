// The filters of the sheet: one product, only low stock, and the visible outlets.
import { ActionIcon, Badge, Button, CloseButton, Kbd, Menu, Popover, Table, Text, Tooltip } from '@mantine/core'
import { IconBuildingStore, IconKeyboard, IconRefresh } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { NumberText } from '../../parts/NumberText.tsx'
import { ReferenceInput } from '../../parts/ReferenceInput.tsx'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/stock.ts'
import type { View } from './rows.ts'
import classes from './StockPage.module.css'
import type { ShownOutlet } from './StockRow.tsx'

interface ChoicesProps {
  readonly view: View
  readonly onView: (view: View) => void
  readonly outlets: readonly ShownOutlet[]
  readonly hidden: readonly string[]
  readonly onHidden: (ids: readonly string[]) => void
  readonly refresh: () => void
}

/** Rendered again only if one of them changes, not with each step through the sheet. */
export const Choices = memo(function Choices(props: ChoicesProps) {
  const { view, onView, outlets, hidden, onHidden, refresh } = props
  const { productId, q, below } = view
  const [unread, setUnread] = useState<Unreadable>()
  return (
    <>
      <div className={classes.product}>
        <ReferenceInput
          many="products"
          label={text.productFilter}
          isLabelHidden
          placeholder={text.anyProduct}
          value={productId}
          onChange={(id) =>
            onView({ ...(id !== undefined && { productId: id }), ...(below !== undefined && { below }) })
          }
        />
      </div>
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
      {q && (
        <Badge
          size="lg"
          color="gray"
          className={classes.fitting}
          rightSection={
            <CloseButton
              size="xs"
              aria-label={text.removeFitting}
              onClick={() => onView(productId === undefined ? {} : { productId })}
            />
          }
        >
          <bdi>{text.fitting(q)}</bdi>
        </Badge>
      )}
      <div className={classes.tools}>
        <OutletMenu {...{ outlets, hidden, onHidden }} />
        <Tooltip label={text.refresh}>
          <ActionIcon size={36} variant="default" aria-label={text.refresh} onClick={refresh}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
        <Keys />
      </div>
    </>
  )
})

function Keys() {
  return (
    <Popover position="bottom-end" shadow="md" width={440}>
      <Popover.Target>
        <ActionIcon size={36} variant="default" aria-label={text.keys} className={classes.keys}>
          <IconKeyboard size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.keys}>
        <Table verticalSpacing={5} fz="sm" withRowBorders={false}>
          <Table.Tbody>
            {text.help.map(([keys, what]) => (
              <Table.Tr key={what}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <Kbd size="xs">{keys}</Kbd>
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Popover.Dropdown>
    </Popover>
  )
}

function OutletMenu({ outlets, hidden, onHidden }: Pick<ChoicesProps, 'outlets' | 'hidden' | 'onHidden'>) {
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
