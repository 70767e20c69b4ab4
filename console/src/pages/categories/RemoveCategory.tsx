// Deletes a category: with Undo if it has no subcategories; otherwise it asks what to do with them.
import { Radio, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import { ApiProblem } from '../../api/problem.ts'
import { refresh, someQuery } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { DeleteBulkResult } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/catalog.ts'
import { text as records } from '../../texts/records.ts'
import { useRemoval } from '../records/removal.ts'
import { descendantsOf, type Node, type Tree } from './tree.ts'
import { useMoves } from './useMoves.ts'

interface RemoveCategoryProps {
  readonly tree: Tree
  /** Undefined: the dialog is closed. */
  readonly node: Node | undefined
  readonly close: () => void
}

export function RemoveCategory({ tree, node, close }: RemoveCategoryProps) {
  if (node === undefined) return null
  return <Question key={node.category.id} tree={tree} node={node} close={close} />
}

function Question({ tree, node, close }: RemoveCategoryProps & { node: Node }) {
  const scope = useScope()
  const client = useQueryClient()
  const remove = useRemoval({ one: 'category', many: 'categories' })
  const { apply } = useMoves()
  const [isLifting, setLifting] = useState(true)
  const { id, name } = node.category
  const below = descendantsOf(node).map(({ category }) => category.id)
  const parent = tree.parents.get(id)
  const going = isLifting ? [id] : [id, ...below]
  // A URL has no room for more ids, so only products of the first 100 are counted.
  const asked = going.slice(0, 100).join(',')
  const { data: products } = useQuery(someQuery(scope, 'products', { categories: asked, limit: 1 }))

  async function run() {
    if (below.length === 0) return remove(id, name)
    if (isLifting) {
      const parentId = parent?.category.id ?? null
      const children = node.children.map(({ category }) => category)
      await apply(
        children.map((child) => ({ id: child.id, parentId })),
        children,
      )
    }
    // From the bottom up: an interruption leaves no category without its parent.
    const ids = [...going].reverse()
    try {
      for (let from = 0; from < ids.length; from += 1000) {
        const items = ids.slice(from, from + 1000).map((one) => ({ id: one }))
        const { results } = await get<DeleteBulkResult>(scope, '/v1/categories', { method: 'DELETE', body: { items } })
        const refused = results.find((one) => one.status === 'error' && one.error.statusCode !== 404)
        if (refused?.status === 'error') throw new ApiProblem(refused.error.statusCode, refused.error)
      }
    } finally {
      void refresh(client, scope.companyId, 'categories')
    }
    notify(ids.length === 1 ? records.deletedToast(name) : text.deletedMany(ids.length))
  }

  return (
    <Confirm opened close={close} title={text.deleteTitle(shortName(name))} action={records.delete} run={run}>
      <Stack gap="sm">
        {below.length > 0 && (
          <Radio.Group
            label={text.deleteChoice}
            description={text.deleteBelow(node.children.length, below.length)}
            value={isLifting ? 'lift' : 'all'}
            onChange={(value) => setLifting(value === 'lift')}
          >
            <Stack gap={8} mt={8}>
              <Radio value="lift" label={<span className="name">{text.deleteLift(parent?.category.name)}</span>} />
              <Radio value="all" label={text.deleteAll(below.length)} />
            </Stack>
          </Radio.Group>
        )}
        <Text size="sm" mih={42}>
          {products && text.deleteProducts(products.meta.count)}
        </Text>
        {below.length > 0 && (
          <Text size="sm" c="dimmed">
            {text.deleteForGood}
          </Text>
        )}
      </Stack>
    </Confirm>
  )
}
