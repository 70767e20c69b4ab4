// Adds tags to all selected records, and removes tags from them.
import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import { firstInput } from '../../../parts/use-first-input.ts'
import { text } from '../../../texts/many.ts'
import { changeMember } from './bulk-changes.ts'
import { ManyForm } from './ManyForm.tsx'
import type { Many } from './use-many.ts'

interface TagDialogProps {
  readonly count: number
  readonly many: Many
  /** Tags of the rows that are shown, to choose from. */
  readonly known: readonly string[]
  readonly close: () => void
}

export function TagDialog({ count, many, known, close }: TagDialogProps) {
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  const isDirty = added.length + removed.length > 0

  function change(): Promise<boolean> {
    const { scope, targetOf } = many
    return many.carryOut({
      run: (target) =>
        changeMember(scope, target, 'tags', (tags) => without([...new Set([...listOf(tags), ...added])], removed)),
      done: text.changed,
      undo: (records) => {
        const before = new Map(records.map(({ id, tags }) => [id, listOf(tags)]))
        return changeMember(scope, targetOf(records), 'tags', (now, { id }) => {
          const had = before.get(id) ?? []
          const back = removed.filter((tag) => had.includes(tag))
          return [...new Set([...without(listOf(now), without(added, had)), ...back])]
        })
      },
    })
  }

  return (
    <ManyForm
      {...{ count, many, isDirty, change, close }}
      missing={isDirty ? undefined : text.enterTag}
      title={text.tagTitle(count)}
    >
      <TagsInput
        label={text.addTags}
        placeholder={text.tagsHint}
        data={[...known]}
        value={added}
        onChange={setAdded}
        acceptValueOnBlur
        {...firstInput()}
      />
      <TagsInput
        label={text.removeTags}
        placeholder={text.tagsHint}
        data={[...known]}
        value={removed}
        onChange={setRemoved}
        acceptValueOnBlur
      />
    </ManyForm>
  )
}

const listOf = (tags: unknown): readonly string[] => (Array.isArray(tags) ? tags : [])
const without = (tags: readonly string[], others: readonly string[]): string[] =>
  tags.filter((tag) => !others.includes(tag))
