// The entries that fit what is typed, in groups: pages and actions at once, and records when they are found.

import { IconArrowRight, IconDatabase, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { pathOf } from '../api/resources.ts'
import { inSentence } from '../language.ts'
import { tablesQuery } from '../pages/tables/tables.ts'
import { synonyms, text } from '../texts/search.ts'
import { type Entry, useCommands } from './commands.ts'
import { fitting } from './fitting.ts'
import { shownLine, shownTitle } from './found-line.ts'
import { useSections } from './navigation-items.ts'
import { type Results, useResults } from './results.ts'

interface Group {
  readonly label: string
  readonly entries: readonly Entry[]
}

/** Pages, and actions, that are shown beside records. */
const COMMANDS = 4

/** The groups of entries for a text; pages and actions come first, so that nothing moves when records arrive. */
export function useGroups(typed: string): Results & { readonly groups: readonly Group[] } {
  const { companyId } = useParams({ strict: false })
  const navigate = useNavigate()
  const places = useSections().flatMap((section) => section.places)
  const { pages, actions } = useCommands()
  const tables = useTables(typed)
  const results = useResults(typed)
  const base = `/c/${companyId}`
  const some = (entries: readonly Entry[]) =>
    typed.trim() === '' ? entries : fitting(entries, typed, synonyms).slice(0, COMMANDS)
  const records = results.records.map(({ result, resource }) => {
    const to = `${base}/${pathOf(resource.many)}`
    return {
      key: `${result.resource} ${result.id}`,
      label: shownTitle(result),
      detail: shownLine(result.subtitle),
      kind: resource.singular,
      isRecord: true,
      icon: places.find((place) => place.to === to)?.icon ?? IconDatabase,
      run: () => void navigate({ to: `${to}/${result.id}` }),
    }
  })
  const lists = results.lists.map(({ resource, member }) => ({
    key: `more ${resource.many}`,
    label: text.more(inSentence(resource.title), typed.trim()),
    icon: IconArrowRight,
    run: () =>
      void navigate({ to: `${base}/${pathOf(resource.many)}`, search: { q: typed.trim(), in: member } as never }),
  }))
  const groups = [
    { label: text.groups.pages, entries: [...some(pages), ...some(tables)] },
    { label: text.groups.actions, entries: some(actions) },
    { label: text.groups.records, entries: records },
    { label: text.groups.more, entries: lists },
  ]
  return { ...results, groups: groups.filter(({ entries }) => entries.length > 0) }
}

/** The company's own tables, which are pages with names that no search over records finds. */
function useTables(typed: string): readonly Entry[] {
  const { companyId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const isSought = companyId !== '' && typed.trim() !== ''
  const { data = [] } = useQuery({ ...tablesQuery({ companyId }), enabled: isSought, staleTime: 60_000 })
  if (!isSought) return []
  return data.map(({ _id: { $oid: id }, name }) => ({
    key: `table ${id}`,
    label: name,
    kind: text.customTable,
    icon: IconTable,
    run: () => void navigate({ to: `/c/${companyId}/tables/${id}` }),
  }))
}
