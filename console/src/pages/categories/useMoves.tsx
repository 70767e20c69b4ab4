// Writes the moves of categories: shown at once, taken back where the server refuses, and to be undone for a while.
import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useWhose } from '../../api/company.ts'
import { ApiProblem, asProblem } from '../../api/problem.ts'
import { type RecordData, refresh } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import { text } from '../../texts/catalog.ts'
import { text as shell } from '../../texts/shell.ts'
import { allQuery } from '../records/all.ts'
import { type Change, changed, changesFor, mayStand, type Place, undoing } from './moves.ts'
import type { Tree } from './tree.ts'

interface BulkResult {
  readonly results: readonly { readonly status: string; readonly error?: { readonly message: string } }[]
}

/** Most that the server takes at once. */
const atOnce = 1000

export function useMoves() {
  const whose = useWhose()
  const client = useQueryClient()
  const { queryKey } = allQuery(whose, 'categories')

  /** Throws what the server says of the first that it refuses. */
  async function write(changes: readonly Change[]): Promise<void> {
    for (let from = 0; from < changes.length; from += atOnce) {
      const items = changes.slice(from, from + atOnce)
      const { results } = await get<BulkResult>(whose, '/v1/categories', { method: 'PATCH', body: { items } })
      const refused = results.find(({ error }) => error !== undefined)
      if (refused) throw new ApiProblem(409, { message: refused.error?.message ?? '' })
    }
  }

  async function apply(changes: readonly Change[]): Promise<void> {
    await client.cancelQueries({ queryKey })
    client.setQueryData<readonly RecordData[]>(queryKey, (all) => all && changed(all, changes))
    try {
      await write(changes)
    } finally {
      void refresh(client, whose.companyId, 'categories')
    }
  }

  /** Moves one to a place, and says so with the way back. */
  async function move(tree: Tree, id: string, place: Place): Promise<void> {
    const name = tree.byId.get(id)?.category.name ?? id
    if (!mayStand(tree, id, place)) return
    const changes = changesFor(tree, id, place)
    if (changes.length === 0) return
    const back = undoing(tree, changes)
    const notice = `move-${id}`
    const failed = (error: unknown) =>
      notifications.show({ title: text.notMoved(name), message: asProblem(error).message, color: 'red' })
    try {
      await apply(changes)
    } catch (error) {
      failed(error)
      return
    }
    const isElsewhere = changes.some((change) => change.id === id && change.parentId !== undefined)
    const parent = place.parentId === undefined ? undefined : tree.byId.get(place.parentId)?.category.name
    // The one before says the same of an older place.
    notifications.hide(notice)
    notifications.show({
      id: notice,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" className="name">
            {isElsewhere && place.parentId === undefined
              ? text.movedTop(name)
              : text.moved(name, isElsewhere ? parent : undefined)}
          </Text>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              notifications.hide(notice)
              apply(back).catch(failed)
            }}
          >
            {shell.undo}
          </Button>
        </Group>
      ),
    })
  }

  return { move, apply }
}
