// The category tree: expanded and collapsed, moved by mouse or keyboard, edited in a drawer.
import { Alert, Button, Group } from '@mantine/core'
import { IconCategory, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import { useResource } from '../../api/resources.ts'
import { Count } from '../../parts/Count.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { SearchInput } from '../../parts/SearchInput.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/catalog.ts'
import { allQuery } from '../records/all.ts'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { CategoryTree } from './CategoryTree.tsx'
import { MoveTo } from './MoveTo.tsx'
import { RemoveCategory } from './RemoveCategory.tsx'
import { type Node, rowsOf, type Tree, treeOf } from './tree.ts'
import { useMoves } from './useMoves.ts'

/** What is open beside or over the tree. */
type Asked =
  | { readonly what: 'edit' | 'move' | 'delete'; readonly node: Node }
  | { readonly what: 'add'; readonly below: Node | undefined }

export function CategoriesPage() {
  const scope = useScope()
  const canWrite = useCanWrite()
  const { data, error, refetch } = useQuery(allQuery(scope, 'categories'))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search)
  const [asked, setAsked] = useState<Asked>()
  const { move } = useMoves()
  const tree = useMemo(() => treeOf(data ?? []), [data])
  const rows = useMemo(() => rowsOf(tree, open, wanted), [tree, open, wanted])
  const close = () => setAsked(undefined)
  const add = (below?: Node) => setAsked({ what: 'add', below })
  const setAllOpen = (isOpen: boolean) =>
    setOpen(new Set(isOpen ? [...tree.byId].flatMap(([id, { children }]) => (children.length > 0 ? id : [])) : []))

  return (
    <PageBody size="full">
      <PageHeader title={text.categories} aside={<Count of={data?.length} />}>
        {canWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => add()}>
            {text.newCategory}
          </Button>
        )}
      </PageHeader>
      {data === undefined &&
        (error ? <Failure error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={12} />)}
      {data?.length === 0 && (
        <Empty icon={IconCategory} title={text.noCategories} hint={text.noCategoriesHint}>
          {canWrite && <Button onClick={() => add()}>{text.newCategory}</Button>}
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <Tools search={search} setSearch={setSearch} setAllOpen={setAllOpen} isAllClosed={open.size === 0} />
          {tree.faults.length > 0 && (
            <Alert color="yellow" mb="sm">
              {text.problems(tree.faults.length)}
            </Alert>
          )}
          <CategoryTree
            tree={tree}
            rows={rows}
            setOpen={(id, isOpen) => {
              const next = new Set(open)
              if (isOpen) next.add(id)
              else next.delete(id)
              setOpen(next)
            }}
            canMove={wanted.trim() === ''}
            actions={{
              edit: (node) => setAsked({ what: 'edit', node }),
              add,
              moveTo: (node) => setAsked({ what: 'move', node }),
              remove: (node) => setAsked({ what: 'delete', node }),
              move: (id, place) => {
                if (place.parentId !== undefined) setOpen(new Set(open).add(place.parentId))
                void move(tree, id, place)
              },
            }}
          />
        </>
      )}
      <Dialogs
        {...{ asked, tree, close, move }}
        shown={(parentId) => setOpen((before) => new Set(before).add(parentId))}
      />
    </PageBody>
  )
}

interface DialogsProps {
  readonly asked: Asked | undefined
  readonly tree: Tree
  readonly close: () => void
  readonly move: ReturnType<typeof useMoves>['move']
  /** Called with the parent of a category that was saved. */
  readonly shown: (parentId: string) => void
}

function Dialogs({ asked, tree, close, move, shown }: DialogsProps) {
  const resource = useResource('categories')
  return (
    <>
      <RecordDrawer
        resource={resource}
        id={asked?.what === 'edit' ? asked.node.category.id : asked?.what === 'add' ? 'new' : undefined}
        title={
          asked?.what === 'edit'
            ? asked.node.category.name
            : asked?.what === 'add' && asked.below
              ? text.belowOf(asked.below.category.name)
              : text.newCategory
        }
        close={close}
        initial={asked?.what === 'add' ? beginning(asked.below ? asked.below.children : tree.roots, asked.below) : {}}
        onSaved={({ record }) => {
          if (record.parentId !== undefined) shown(record.parentId)
        }}
      />
      <MoveTo tree={tree} node={asked?.what === 'move' ? asked.node : undefined} close={close} move={move} />
      <RemoveCategory tree={tree} node={asked?.what === 'delete' ? asked.node : undefined} close={close} />
    </>
  )
}

/** A new category comes last among its siblings. */
function beginning(beside: readonly Node[], below: Node | undefined): Readonly<Record<string, unknown>> {
  const orders = beside.flatMap(({ category: { menuOrder } }) => (typeof menuOrder === 'number' ? [menuOrder] : []))
  return {
    ...(below && { parentId: below.category.id }),
    ...(beside.length === orders.length && { menuOrder: Math.floor(Math.max(0, ...orders.slice(-1))) + 1 }),
  }
}

interface ToolsProps {
  readonly search: string
  readonly setSearch: (search: string) => void
  readonly setAllOpen: (isOpen: boolean) => void
  readonly isAllClosed: boolean
}

function Tools({ search, setSearch, setAllOpen, isAllClosed }: ToolsProps) {
  return (
    <Group gap="xs" mb="sm">
      <SearchInput label={text.findCategory} value={search} onChange={setSearch} />
      <Button variant="default" onClick={() => setAllOpen(true)}>
        {text.expandAll}
      </Button>
      <Button variant="default" onClick={() => setAllOpen(false)} disabled={isAllClosed}>
        {text.collapseAll}
      </Button>
    </Group>
  )
}
