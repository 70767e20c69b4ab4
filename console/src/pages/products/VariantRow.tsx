// One variant in the grid: an input for each of its columns, or text for viewers, and its stock by outlet.
import { ActionIcon, Autocomplete, Checkbox, Group, Menu, Table, Text, TextInput } from '@mantine/core'
import { IconCopy, IconDots, IconEdit, IconEye, IconTrash } from '@tabler/icons-react'
import { useCompany } from '../../api/company.ts'
import type { Variant } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { sentence } from '../../parts/messages.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { text } from '../../texts/catalog.ts'
import { text as records } from '../../texts/records.ts'
import { text as shell } from '../../texts/shell.ts'
import { isSaleAbove } from './SalePriceNote.tsx'
import classes from './VariantRow.module.css'
import { NewStock, Stock } from './VariantStock.tsx'
import { type Attribute, optionOf, type Row, type RowMember, withMember, withOption } from './variant-rows.ts'

interface VariantRowProps {
  readonly row: Row
  readonly name: string
  readonly options: readonly string[]
  readonly attributes: readonly Attribute[]
  /** Messages by the row's key and the pointer within the variant. */
  readonly refused: ReadonlyMap<string, string>
  /** Undefined for viewers. */
  readonly change: ((row: Row) => void) | undefined
  readonly open: (title: string) => void
  readonly copy: (variant: Variant) => void
  readonly remove: (name: string) => void
}

export function VariantRow({ row, name, options, attributes, refused, change, ...actions }: VariantRowProps) {
  const { key, variant, values } = row
  const own = [...refused].filter(([at]) => at.startsWith(key))
  const shown = new Set(['sku', 'barcode', 'price', 'salePrice', 'isOnSale'].map((member) => `${key}/${member}`))
  const others = own.filter(([at]) => !shown.has(at))
  const cell = { row, name, change, refused }
  return (
    <>
      <Table.Tr data-row={key}>
        {options.map((option) => (
          <Table.Td key={option}>
            {change === undefined ? (
              <Read>{optionOf(values, option)}</Read>
            ) : (
              <Autocomplete
                size="xs"
                aria-label={text.cell(option, name)}
                data={attributes.find((one) => one.name === option)?.values ?? []}
                value={optionOf(values, option) ?? ''}
                onChange={(value) => change(withOption(row, option, value))}
                dir="auto"
              />
            )}
          </Table.Td>
        ))}
        <Table.Td>
          <TextCell {...cell} member="sku" label={text.sku} />
        </Table.Td>
        <Table.Td>
          <TextCell {...cell} member="barcode" label={text.barcode} />
        </Table.Td>
        <Table.Td>
          <AmountCell {...cell} member="price" label={text.price} />
        </Table.Td>
        <Table.Td>
          <AmountCell {...cell} member="salePrice" label={text.salePrice} />
        </Table.Td>
        <Table.Td>
          {change === undefined ? (
            <Read>{values.isOnSale === true ? records.yes : ''}</Read>
          ) : (
            <Checkbox
              aria-label={text.cell(text.onSale, name)}
              checked={values.isOnSale === true}
              onChange={({ currentTarget }) => change(withMember(row, 'isOnSale', currentTarget.checked))}
            />
          )}
        </Table.Td>
        <Table.Td ta="right">
          {variant === undefined ? <NewStock {...{ row, name, change }} /> : <Stock variant={variant} />}
        </Table.Td>
        <Table.Td>
          <Actions {...{ variant, name, canWrite: change !== undefined, ...actions }} />
        </Table.Td>
      </Table.Tr>
      {others.length > 0 && (
        <Table.Tr>
          <Table.Td colSpan={options.length + 7}>
            <Text size="sm" c="red" role="alert">
              {others.map(([, message]) => sentence(message)).join(' ')}
            </Text>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

interface CellProps extends Pick<VariantRowProps, 'row' | 'name' | 'change' | 'refused'> {
  readonly member: RowMember
  readonly label: string
}

const Read = ({ children }: { children: string | undefined }) => (
  <Text size="sm" className="cut">
    <bdi>{children}</bdi>
  </Text>
)

function TextCell({ row, name, member, label, change, refused }: CellProps) {
  const value = String(row.values[member] ?? '')
  if (change === undefined) return <Read>{value}</Read>
  return (
    <TextInput
      size="xs"
      aria-label={text.cell(label, name)}
      value={value}
      onChange={({ currentTarget }) => change(withMember(row, member, currentTarget.value || undefined))}
      error={sentence(refused.get(`${row.key}/${member}`))}
      autoComplete="off"
      dir="auto"
    />
  )
}

function AmountCell({ row, name, member, label, change, refused }: CellProps) {
  const format = useFormat()
  const { currency } = useCompany()
  const value = row.values[member]
  if (change === undefined) return <Read>{typeof value === 'number' ? format.money(value) : ''}</Read>
  return (
    <NumberText
      size="xs"
      aria-label={text.cell(label, name)}
      value={value}
      onChange={(next) => change(withMember(row, member, next))}
      currency={currency}
      isFine
      {...(member === 'salePrice' &&
        isSaleAbove(row.values) && {
          description: <span className={classes.above}>{text.aboveThePrice}</span>,
          inputWrapperOrder: ['input', 'description', 'error'] as const,
        })}
      error={sentence(refused.get(`${row.key}/${member}`))}
    />
  )
}

interface ActionsProps extends Pick<VariantRowProps, 'name' | 'open' | 'copy' | 'remove'> {
  readonly variant: Variant | undefined
  readonly canWrite: boolean
}

function Actions({ variant, name, canWrite, open, copy, remove }: ActionsProps) {
  const title = canWrite ? text.editVariant(name) : name
  const Icon = canWrite ? IconEdit : IconEye
  if (variant === undefined)
    return (
      <ActionIcon aria-label={text.removeVariant(name)} onClick={() => remove(name)}>
        <IconTrash size={16} />
      </ActionIcon>
    )
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <ActionIcon aria-label={canWrite ? title : text.viewVariant(name)} onClick={() => open(title)}>
        {variant.images?.[0] === undefined ? <Icon size={16} /> : <Picture url={variant.images[0]} size={24} />}
      </ActionIcon>
      {canWrite && (
        <Menu>
          <Menu.Target>
            <ActionIcon aria-label={text.variantActions(name)}>
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => open(title)}>
              {shell.edit}
            </Menu.Item>
            <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => copy(variant)}>
              {text.duplicate}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => remove(name)}>
              {records.delete}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  )
}
