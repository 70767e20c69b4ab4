// One category of the tree, with its menu.
import { ActionIcon, Badge, Menu, Tooltip } from '@mantine/core'
import {
  IconArrowBarLeft,
  IconArrowBarRight,
  IconArrowDown,
  IconArrowsMove,
  IconArrowUp,
  IconChevronRight,
  IconDots,
  IconEdit,
  IconGripVertical,
  IconPlus,
  IconTags,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useCanWrite, useCompanyId } from '../../api/company.ts'
import { number as count } from '../../parts/format.ts'
import { text } from '../../texts/catalog.ts'
import { text as records } from '../../texts/records.ts'
import { text as shell } from '../../texts/shell.ts'
import classes from './CategoryTree.module.css'
import type { Where } from './dragging.ts'
import { placeOf, type Step, type TreePosition } from './moves.ts'
import type { Node, Tree, TreeRow } from './tree.ts'

/** The actions on a category's row. */
export interface Actions {
  readonly edit: (node: Node) => void
  readonly add: (below: Node) => void
  readonly moveTo: (node: Node) => void
  readonly remove: (node: Node) => void
  readonly move: (id: string, place: TreePosition) => void
}

interface CategoryRowProps {
  readonly row: TreeRow
  readonly index: number
  /** Pixels from the top. */
  readonly start: number
  readonly isCurrent: boolean
  readonly drop: Where | undefined
  readonly isDragged: boolean
  readonly canMove: boolean
  readonly take: () => void
  readonly toggle: () => void
  readonly tree: Tree
  readonly actions: Actions
}

export function CategoryRow(props: CategoryRowProps) {
  const { row, index, start, isCurrent, drop, isDragged, canMove, take, toggle, tree, actions } = props
  const { node, level, position, size, isOpen } = row
  const { category, children, fault } = node
  const { id, name } = category
  // Deep levels are indented less and less, to leave room for the names.
  const indent = 8 + Math.min(level - 1, 12) * 22
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its rows.
    <div
      role="treeitem"
      tabIndex={isCurrent ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={children.length > 0 ? isOpen : undefined}
      aria-selected={isCurrent}
      data-index={index}
      data-id={id}
      data-current={isCurrent || undefined}
      data-drop={drop}
      data-dragged={isDragged || undefined}
      draggable={canMove}
      className={classes.row}
      style={{ transform: `translateY(${start}px)`, paddingLeft: indent, '--indent': `${indent}px` } as CSSProperties}
      onFocus={take}
      onClick={take}
    >
      {/* By keyboard, the row itself is expanded and edited. */}
      <span
        aria-hidden
        className={classes.toggle}
        data-open={isOpen || undefined}
        style={children.length > 0 ? undefined : { visibility: 'hidden' }}
        onClick={toggle}
      >
        <IconChevronRight size={15} aria-hidden />
      </span>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its rows. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the row itself is the interactive element. */}
      <span className={classes.name} onClick={() => actions.edit(node)}>
        <bdi>{name}</bdi>
      </span>
      {children.length > 0 && <span className={classes.count}>{count(children.length)}</span>}
      {fault !== undefined && (
        <Tooltip
          multiline
          maw={300}
          label={fault === 'missing' ? text.missingParentHint(category.parentId ?? '') : text.inCircleHint}
        >
          <Badge color="yellow">{fault === 'missing' ? text.missingParent : text.inCircle}</Badge>
        </Tooltip>
      )}
      <div className={classes.actions}>
        {canMove && <IconGripVertical size={15} className={classes.grip} aria-hidden />}
        <RowMenu tree={tree} row={row} isCurrent={isCurrent} canMove={canMove} actions={actions} />
      </div>
    </div>
  )
}

const moves: readonly (readonly [Step, string, typeof IconArrowUp, string])[] = [
  ['up', text.moveUp, IconArrowUp, 'Alt ↑'],
  ['down', text.moveDown, IconArrowDown, 'Alt ↓'],
  ['in', text.moveIn, IconArrowBarRight, 'Alt →'],
  ['out', text.moveOut, IconArrowBarLeft, 'Alt ←'],
]

function RowMenu({
  tree,
  row: { node },
  isCurrent,
  canMove,
  actions,
}: Pick<CategoryRowProps, 'tree' | 'row' | 'isCurrent' | 'canMove' | 'actions'>) {
  const canWrite = useCanWrite()
  const companyId = useCompanyId()
  const { id } = node.category
  return (
    <Menu withinPortal>
      <Menu.Target>
        <ActionIcon tabIndex={isCurrent ? 0 : -1} aria-label={text.actions}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => actions.edit(node)}>
          {canWrite ? text.editCategory : records.details}
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`/c/${companyId}/products`}
          search={{ f: { categories: id } } as never}
          leftSection={<IconTags size={15} />}
        >
          {text.seeProducts}
        </Menu.Item>
        {canWrite && (
          <>
            <Menu.Item leftSection={<IconPlus size={15} />} onClick={() => actions.add(node)}>
              {text.addBelow}
            </Menu.Item>
            <Menu.Divider />
            {moves.map(([step, label, Icon, keys]) => {
              const place = placeOf(tree, id, step)
              return (
                <Menu.Item
                  key={step}
                  leftSection={<Icon size={15} />}
                  rightSection={<kbd className={classes.count}>{keys}</kbd>}
                  disabled={place === undefined || !canMove}
                  onClick={() => place && actions.move(id, place)}
                >
                  {label}
                </Menu.Item>
              )
            })}
            <Menu.Item leftSection={<IconArrowsMove size={15} />} onClick={() => actions.moveTo(node)}>
              {text.moveTo}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => actions.remove(node)}>
              {shell.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
