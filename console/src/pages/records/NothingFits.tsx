// Shown in place of a list that has no match for its search and filters.

import { Button, Group } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import type { Resource } from '../../api/resources.ts'
import { inSentence } from '../../language.ts'
import { Empty } from '../../parts/Empty.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { searchedIn, useListState } from './list-state.ts'

/** `resource` if the search looked in its members. */
export function NothingFits({ resource }: { resource?: Resource }) {
  const [state, change] = useListState()
  const { companyId } = useScope()
  const { q, f } = state
  const where = resource ? searchedIn(resource, state).map(labelOf).map(inSentence).join(', ') : ''
  const isSearch = q !== undefined && f === undefined && where !== ''
  return (
    <Empty icon={IconTableOff} title={text.nothing} hint={isSearch ? text.nothingFound(q, where) : text.nothingHint}>
      <Group>
        <Button variant="default" onClick={() => change({ q: '', f: {} })}>
          {text.clearFilters}
        </Button>
        {/* Barcodes are those of variants. */}
        {resource?.many === 'products' && q !== undefined && (
          <Button component={Link} variant="default" to={`/c/${companyId}/variants`} search={{ q } as never}>
            {text.searchVariants}
          </Button>
        )}
      </Group>
    </Empty>
  )
}
