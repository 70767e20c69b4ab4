// One variant: its options, its price, and its stock by outlet.

import { ActionIcon, Menu, Table, Text, UnstyledButton } from '@mantine/core'
import { IconCopy, IconDots, IconEdit, IconTrash } from '@tabler/icons-react'
import { useCanWrite } from '../../api/company.ts'
import type { Variant } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { Picture } from '../../parts/Picture.tsx'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/catalog.ts'
import { text as records } from '../../texts/records.ts'
import { text as shell } from '../../texts/shell.ts'
import classes from './VariantRow.module.css'
import { stockOf } from './variants.ts'

interface VariantRowProps {
  readonly variant: Variant
  readonly name: string
  readonly open: () => void
  readonly copy: () => void
  readonly remove: () => void
}

export function VariantRow({ variant, name, open, copy, remove }: VariantRowProps) {
  const canWrite = useCanWrite()
  const format = useFormat()
  const { sku, barcode, price, salePrice, costPrice, isOnSale, images } = variant
  const isReduced = isOnSale === true && salePrice !== undefined
  return (
    <Table.Tr>
      <Table.Td>
        <UnstyledButton className={classes.open} onClick={open} aria-label={text.editVariant(name)}>
          {images?.[0] !== undefined && <Picture url={images[0]} size={32} />}
          <span className="cut">
            <bdi>{name}</bdi>
          </span>
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <Text size="sm" className="cut">
          <bdi>{sku}</bdi>
        </Text>
        <Text size="xs" c="dimmed" className="cut numbers">
          <bdi>{barcode}</bdi>
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="numbers">
        {format.money(isReduced ? salePrice : price)}
        {isReduced && (
          <Text size="xs" c="dimmed">
            <s title={text.priceWas}>{format.money(price)}</s>
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="numbers" c="dimmed">
        {format.money(costPrice)}
      </Table.Td>
      <Table.Td ta="right">
        <Stock variant={variant} />
      </Table.Td>
      <Table.Td>
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={text.variantActions(name)}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconEdit size={15} />} onClick={open}>
              {canWrite ? shell.edit : records.details}
            </Menu.Item>
            {canWrite && (
              <>
                <Menu.Item leftSection={<IconCopy size={15} />} onClick={copy}>
                  {text.duplicate}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={remove}>
                  {records.delete}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </Table.Td>
    </Table.Tr>
  )
}

const shownOutlets = 3

function Stock({ variant }: { variant: Variant }) {
  const format = useFormat()
  const levels = variant.inventory
  const isCounted = variant.manageStock === true
  if (levels.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {isCounted ? text.nowhere : text.notCounted}
      </Text>
    )
  return (
    <>
      <span className="numbers">{format.number(stockOf(variant))}</span>
      {!isCounted && <span className="muted"> · {text.notCounted}</span>}
      <Text size="xs" c="dimmed" component="ul" className={classes.levels}>
        {levels.slice(0, shownOutlets).map(({ outletId, stock }) => (
          <li key={outletId}>
            <span className="cut">
              <RecordName many="outlets" id={outletId} isPlain />
            </span>
            <span className="numbers">{format.number(stock)}</span>
          </li>
        ))}
        {levels.length > shownOutlets && <li>{text.moreOutlets(levels.length - shownOutlets)}</li>}
      </Text>
    </>
  )
}
