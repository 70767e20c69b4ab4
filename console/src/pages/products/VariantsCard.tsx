// The variants of a product as a table, each edited in a drawer beside it.

import { Button, Table, VisuallyHidden } from '@mantine/core'
import { IconPackages, IconPlus, IconVersions } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { listQuery, type RecordData } from '../../api/records.ts'
import { useResource } from '../../api/resources.ts'
import type { Variant } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { titleOf, variantTitle } from '../../parts/record-title.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/catalog.ts'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { useRemoval } from '../records/removal.tsx'
import { VariantRow } from './VariantRow.tsx'
import { beginningOf, copyOf, variantSections, variantsQuery } from './variants.ts'

interface Opened {
  readonly id: string
  readonly title: string
  readonly initial?: Readonly<Record<string, unknown>>
}

export function VariantsCard({ product }: { product: RecordData }) {
  const whose = useWhose()
  const canWrite = useCanWrite()
  const resource = useResource('variants')
  const remove = useRemoval(resource)
  const [opened, setOpened] = useState<Opened>()
  const list = useInfiniteQuery(listQuery(whose, 'variants', variantsQuery(product.id)))
  const variants = list.data?.pages.flatMap(({ data }) => data) ?? []
  const isEmpty = list.data !== undefined && variants.length === 0
  const add = () => setOpened({ id: 'new', title: text.newVariant, initial: beginningOf(product, variants.at(-1)) })
  const named = (variant: Variant) =>
    variantTitle(variant) || variant.sku || product.name || titleOf('variants', variant)

  return (
    <Card
      id="variants"
      title={text.variants}
      aside={list.data?.pages[0]?.meta.count}
      isFlush={!isEmpty}
      actions={!isEmpty && <Actions productId={product.id} add={add} />}
    >
      {list.data === undefined &&
        (list.error ? <Failure error={list.error} retry={() => void list.refetch()} /> : <RowsSkeleton rows={3} />)}
      {isEmpty && (
        <Empty icon={IconVersions} title={text.noVariants} hint={text.noVariantsHint}>
          {canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={add}>
              {text.addVariant}
            </Button>
          )}
        </Empty>
      )}
      {variants.length > 0 && (
        <VariantsTable>
          {variants.map((variant) => (
            <VariantRow
              key={variant.id}
              variant={variant}
              name={named(variant)}
              open={() => setOpened({ id: variant.id, title: text.editVariant(named(variant)) })}
              copy={() => setOpened({ id: 'new', title: text.newVariant, initial: copyOf(variant, resource) })}
              remove={() => remove(variant.id, named(variant))}
            />
          ))}
        </VariantsTable>
      )}
      {list.hasNextPage && (
        <Button
          variant="subtle"
          fullWidth
          radius={0}
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {text.showMore}
        </Button>
      )}
      <RecordDrawer
        resource={resource}
        id={opened?.id}
        title={opened?.title}
        close={() => setOpened(undefined)}
        sections={variantSections(resource)}
        initial={opened?.initial}
      />
    </Card>
  )
}

function VariantsTable({ children }: { children: ReactNode }) {
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing={10} horizontalSpacing={12} layout="fixed" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.variant}</Table.Th>
            <Table.Th w={150}>{text.codes}</Table.Th>
            <Table.Th w={110} ta="right">
              {text.price}
            </Table.Th>
            <Table.Th w={100} ta="right">
              {text.cost}
            </Table.Th>
            <Table.Th w={190} ta="right">
              {text.stock}
            </Table.Th>
            <Table.Th w={72}>
              <VisuallyHidden>{text.actions}</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Actions({ productId, add }: { productId: string; add: () => void }) {
  const { companyId } = useWhose()
  const canWrite = useCanWrite()
  return (
    <>
      <Button
        component={Link}
        to={`/c/${companyId}/stock`}
        search={{ productId: productId } as never}
        variant="default"
        size="xs"
        leftSection={<IconPackages size={15} />}
      >
        {canWrite ? text.countStock : text.stock}
      </Button>
      {canWrite && (
        <Button size="xs" leftSection={<IconPlus size={15} />} onClick={add}>
          {text.addVariant}
        </Button>
      )}
    </>
  )
}
