// Chooses a record by name; also takes an id of another system, which references may hold (contract, decisions section 1).
import { MultiSelect, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../api/company.ts'
import { asProblem } from '../api/problem.ts'
import { recordQuery, someQuery } from '../api/records.ts'
import { useResource } from '../api/resources.ts'
import { inSentence } from '../language.ts'
import { text } from '../texts/records.ts'
import { text as search } from '../texts/search.ts'
import { useOptionTitles } from './option-places.ts'

interface Common {
  readonly many: string
  readonly label: string
  readonly description?: string | undefined
  readonly labelProps?: { readonly title: string | undefined } | undefined
  readonly error?: string | undefined
  readonly required?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly size?: string | undefined
  readonly placeholder?: string | undefined
  /** Shows the label only to screen readers. */
  readonly isLabelHidden?: boolean
  /** Inside an element that closes on outside clicks, the options must be rendered in it. */
  readonly isInPopover?: boolean
  /** Called when text is typed, before something is chosen. */
  readonly onInput?: () => void
}

/** The options of an input and its behaviour, given the chosen value. */
function useChoices(about: Common, chosen: readonly string[]) {
  const { many, label, isLabelHidden = false, isInPopover = false, ...rest } = about
  const scope = useScope()
  const { one, list, title } = useResource(many)
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed.trim(), 150)
  // Labels that the chosen records had, the last one at the end: their titles once they are read, until then their ids. An earlier one
  // is no search either: its results would rename the record, and that would end the search again, without an end.
  const [labels] = useState(() => new Map<string, readonly string[]>())
  const isLabel = (text: string) => chosen.some((id) => text === id || labels.get(id)?.includes(text))
  const isTyping = typed !== '' && !isLabel(typed)
  const isSearch = wanted !== '' && !isLabel(wanted)
  const member = list.search.includes('name')
    ? 'name'
    : (list.search.find((name) => name === 'lastName') ?? list.search[0])
  const searching =
    isSearch && member !== undefined ? { [`searchBy${member.charAt(0).toUpperCase()}${member.slice(1)}`]: wanted } : {}
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...someQuery(scope, many, { ...searching, limit: 30 }),
    placeholderData: keepPreviousData,
  })
  const names = useQueries({
    queries: chosen.map((id) => ({
      ...recordQuery(scope, one, many, id),
      enabled: /^[0-9a-f]{24}$/.test(id),
      retry: false,
      staleTime: 60_000,
    })),
  })
  const read = new Map(
    [...(data?.data ?? []), ...names.flatMap((name) => name.data?.record ?? [])].map((record) => [record.id, record]),
  )
  const titleOf = useOptionTitles(many, [...read.values()])
  const choices = new Map(data?.data.map((record) => [record.id, titleOf(record)]))
  chosen.forEach((id, n) => {
    const found = names[n]?.data
    const title = found === undefined ? choices.get(id) : titleOf(found.record)
    // The input replaces what is typed when the label of its choice changes.
    const known = labels.get(id) ?? []
    const label = (isTyping ? undefined : title) ?? known.at(-1) ?? title ?? id
    if (label !== known.at(-1)) labels.set(id, [...known.filter((one) => one !== label), label])
    choices.set(id, label)
  })
  const isKnown = [...choices].some(([id, title]) => id === wanted || title === wanted)
  const isSearching = data === undefined || isPlaceholderData || typed.trim() !== wanted
  const isUnknown = isSearch && !isSearching && !isKnown && data.data.length === 0
  if (isUnknown && wanted.length <= 64) choices.set(wanted, text.takeId(wanted))
  const left = isSearching ? 0 : data.meta.count - data.data.length
  const nothing = typed === '' ? text.empty(inSentence(title)) : text.noneFound
  return {
    ...rest,
    ...(isLabelHidden ? { 'aria-label': label } : { label }),
    data: [
      ...[...choices].map(([value, label]) => ({ value, label })),
      ...(left > 0 ? [{ value: '', label: text.moreOptions(left), disabled: true }] : []),
    ],
    searchable: true,
    clearable: true,
    searchValue: typed,
    onSearchChange: setTyped,
    // The server has already filtered them.
    filter: <O,>({ options }: { options: O[] }) => options,
    nothingFoundMessage: error ? asProblem(error).message : isSearching ? search.searching : nothing,
    onDropdownOpen: () => error && void refetch(),
    maxDropdownHeight: 280,
    comboboxProps: { withinPortal: !isInPopover },
    // A popover with this input alone is opened for its options.
    openOnFocus: isInPopover,
  }
}

interface ReferenceInputProps extends Common {
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
  /** Whether the choice can be removed, and not only replaced. */
  readonly isClearable?: boolean
}

export function ReferenceInput({ value, onChange, isClearable = true, ...about }: ReferenceInputProps) {
  return (
    <Select
      {...useChoices(about, value === undefined ? [] : [value])}
      clearable={isClearable}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}

export function ReferencesInput({
  value,
  onChange,
  ...about
}: Common & { value: readonly string[]; onChange: (value: string[]) => void }) {
  const choices = useChoices(about, value)
  const chosen = choices.data.filter((one) => value.includes(one.value)).map(({ label }) => label)
  return <MultiSelect {...choices} value={[...value]} onChange={onChange} aria-description={chosen.join(', ')} />
}
