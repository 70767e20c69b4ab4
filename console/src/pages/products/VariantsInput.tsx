// The variants of a product as a grid that is saved with the product, below the options that distinguish them.
import { Button, Group, Stack, Table, VisuallyHidden } from '@mantine/core'
import { IconPackages, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type RefObject, use, useEffect, useRef, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import { useResource } from '../../api/resources.ts'
import type { Variant } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { Folded } from '../../parts/Folded.tsx'
import { EntriesInput } from '../../parts/MembersInput.tsx'
import type { MemberInputProps } from '../../parts/member-shape.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { firstWrong } from '../../parts/submission.ts'
import { isFocusFree } from '../../shell/kept-focus.ts'
import { text } from '../../texts/catalog.ts'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { useRemoval } from '../records/removal.ts'
import { enterGoesDown } from './enter.ts'
import { SalePriceNote } from './SalePriceNote.tsx'
import { type VariantRows, VariantRowsContext } from './use-variant-rows.ts'
import classes from './VariantRow.module.css'
import { VariantRow } from './VariantRow.tsx'
import { type Attribute, missing, newRow, offeredRow, optionsOf, type Row } from './variant-rows.ts'
import { beginningOf, copyOf, nameOf, variantSections } from './variants.ts'

export function VariantsInput(props: MemberInputProps) {
  const state = use(VariantRowsContext)
  if (state === undefined) return null
  return <Variants {...props} state={state} />
}

function Variants({ state, ...props }: MemberInputProps & { state: VariantRows }) {
  const { rows, list, product } = state
  const canWrite = useCanWrite()
  const resource = useResource('variants')
  const remove = useRemoval(resource)
  const [opened, setOpened] = useState<{ id: string; title: string }>()
  const attributes: readonly Attribute[] = props.value ?? []
  const options = optionsOf(attributes, rows)
  const copy = (variant: Variant) => add([newRow(copyOf(variant, resource))])
  const isShown = product === undefined || list.data !== undefined
  const grid = useFirstRefused(state.refused, isShown)
  const add = useAdded(grid, state.add)
  if (!isShown)
    return list.error ? <Failure error={list.error} retry={() => void list.refetch()} /> : <RowsSkeleton rows={3} />

  return (
    <Stack gap="md" id="variants" ref={grid}>
      {canWrite && (
        <Folded title={text.options} hint={text.optionsHint}>
          <EntriesInput {...props} label={text.options} />
        </Folded>
      )}
      {rows.length > 0 && (
        <Table.ScrollContainer
          minWidth={760 + 130 * options.length}
          className={classes.grid}
          // Its bar says that more columns follow.
          scrollAreaProps={{ type: 'auto' }}
        >
          <Table verticalSpacing={6} horizontalSpacing={6} layout="fixed" aria-label={text.variants}>
            <Head options={options} />
            <Table.Tbody onKeyDown={enterGoesDown}>
              {rows.map((row, n) => (
                <VariantRow
                  key={row.key}
                  {...{ row, options, attributes }}
                  name={nameOf(row.values) || text.nthVariant(n + 1)}
                  refused={state.refused}
                  change={canWrite ? state.change : undefined}
                  open={(title) => setOpened({ id: row.key, title })}
                  copy={copy}
                  remove={(name) => (row.variant === undefined ? state.remove(row) : remove(row.key, name))}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <Buttons {...{ state, add, attributes, rows }} />
      <RecordDrawer
        resource={resource}
        id={opened?.id}
        title={opened?.title}
        close={() => setOpened(undefined)}
        sections={variantSections(resource)}
        Note={SalePriceNote}
      />
    </Stack>
  )
}

/** After a save, the first input or row that the server refused gets the focus, unless the user has moved it meanwhile. */
function useFirstRefused(refused: VariantRows['refused'], isShown: boolean): RefObject<HTMLDivElement | null> {
  const grid = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isShown || refused.size === 0 || !isFocusFree()) return
    const wrong = firstWrong(grid.current)
    if (wrong !== null) return wrong.focus()
    // The reason is in a row of its own, below that of the variant.
    const reason = grid.current?.querySelector('tr [role="alert"]')?.closest('tr')
    reason?.previousElementSibling?.querySelector('input')?.focus({ preventScroll: true })
    reason?.scrollIntoView({ block: 'center' })
  }, [refused, isShown])
  return grid
}

/** Adds rows, and focuses the first input of the first one. */
function useAdded(grid: RefObject<HTMLDivElement | null>, add: VariantRows['add']): VariantRows['add'] {
  const [first, setFirst] = useState<string>()
  useEffect(() => {
    if (first !== undefined) grid.current?.querySelector<HTMLElement>(`[data-row="${first}"] input`)?.focus()
  }, [grid, first])
  return (rows) => {
    add(rows)
    setFirst(rows[0]?.key)
  }
}

function Head({ options }: { options: readonly string[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {options.map((option) => (
          <Table.Th key={option}>
            <bdi>{option}</bdi>
          </Table.Th>
        ))}
        <Table.Th>{text.sku}</Table.Th>
        <Table.Th>{text.barcode}</Table.Th>
        <Table.Th w={96}>{text.price}</Table.Th>
        <Table.Th w={96}>{text.salePrice}</Table.Th>
        <Table.Th w={64}>{text.onSale}</Table.Th>
        <Table.Th w={180} ta="right">
          {text.stock}
        </Table.Th>
        <Table.Th w={84}>
          <VisuallyHidden>{text.actions}</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  )
}

interface ButtonsProps {
  readonly state: VariantRows
  readonly add: VariantRows['add']
  readonly attributes: readonly Attribute[]
  readonly rows: readonly Row[]
}

function Buttons({ state: { list, product }, add, attributes, rows }: ButtonsProps) {
  const { companyId } = useScope()
  const canWrite = useCanWrite()
  const lacking = missing(attributes, rows)
  const last = rows.at(-1)?.values
  return (
    <Group gap="xs">
      {canWrite && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} />}
          onClick={() => add([offeredRow(beginningOf(product, last))])}
        >
          {text.addVariant}
        </Button>
      )}
      {canWrite && lacking.length > 0 && (
        <Button
          variant="default"
          size="xs"
          onClick={() => add(lacking.map((one) => newRow({ ...beginningOf(product, last), attributes: one })))}
        >
          {text.addMissing(lacking.length)}
        </Button>
      )}
      {list.hasNextPage && (
        <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {text.showMore}
        </Button>
      )}
      {product !== undefined && (
        <Button
          component={Link}
          to={`/c/${companyId}/stock`}
          search={{ productId: product.id } as never}
          variant="default"
          size="xs"
          leftSection={<IconPackages size={15} />}
        >
          {canWrite ? text.countStock : text.stock}
        </Button>
      )}
    </Group>
  )
}
