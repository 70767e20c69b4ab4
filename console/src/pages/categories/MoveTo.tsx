// Moves a category, with its subcategories, into another one that is found by name.
import { Button, Modal, Select, Stack, Text } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/catalog.ts'
import type { TreePosition } from './moves.ts'
import { ancestorsOf, descendantsOf, type Node, type Tree } from './tree.ts'

interface MoveToProps {
  readonly tree: Tree
  /** Undefined: the dialog is closed. */
  readonly node: Node | undefined
  readonly close: () => void
  readonly move: (tree: Tree, id: string, place: TreePosition) => Promise<void>
}

export function MoveTo({ tree, node, close, move }: MoveToProps) {
  return (
    <Modal
      opened={node !== undefined}
      onClose={close}
      title={<span className="name">{node && text.moveToTitle(node.category.name)}</span>}
    >
      {node && <Choice key={node.category.id} tree={tree} node={node} close={close} move={move} />}
    </Modal>
  )
}

/** Used in place of a category id; no id is this short. */
const top = 'top'

function Choice({ tree, node, close, move }: MoveToProps & { node: Node }) {
  const { id } = node.category
  const [chosen, setChosen] = useState(tree.parents.get(id)?.category.id ?? top)
  const choices = useMemo(() => {
    const own = new Set([id, ...descendantsOf(node).map(({ category }) => category.id)])
    const others = [...tree.byId].filter(([other]) => !own.has(other))
    return [
      { value: top, label: text.topLevel },
      ...others.map(([other, { category }]) => ({
        value: other,
        label: [...ancestorsOf(tree, other), { category }].map((one) => one.category.name).join(' › '),
      })),
    ]
  }, [tree, node, id])

  function submit(event: FormEvent) {
    event.preventDefault()
    close()
    void move(tree, id, { parentId: chosen === top ? undefined : chosen, before: undefined })
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label={text.moveToLabel}
          data={choices}
          value={chosen}
          onChange={(next) => setChosen(next ?? chosen)}
          allowDeselect={false}
          searchable
          limit={100}
          maxDropdownHeight={280}
          nothingFoundMessage={text.noneFits}
          {...firstInput()}
        />
        <Text size="sm" c="dimmed">
          {text.moveToHint}
        </Text>
        <DialogButtons cancel={close}>
          <Button type="submit">{text.move}</Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
