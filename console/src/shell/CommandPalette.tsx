// Ctrl-K: finds any page, customer, product, order or action by part of its name.
import '@mantine/spotlight/styles.css'
import { Text, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { IconMoon, IconPlus, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import type { Page, RecordData } from '../api/records.ts'
import { get } from '../api/request.ts'
import { titleOf } from '../parts/record-title.ts'
import { text } from '../texts/shell.ts'
import classes from './CommandPalette.module.css'
import { useSections } from './places.ts'

const [store, spotlight] = createSpotlight()

/** The id of the list of entries. */
const listId = 'commands'

/**
 * Selects the first entry of a list whenever the entries change, before they are painted: Enter opens what the user sees
 * first. Mantine marks the selected entry by an attribute.
 */
function FirstSelected({ first, typed }: { first: string | undefined; typed: string }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the first entry changes.
  useLayoutEffect(() => {
    const actions = document.getElementById(listId)?.querySelectorAll('[data-action]') ?? []
    actions.forEach((action, n) => {
      if (n === 0) action.setAttribute('data-selected', 'true')
      else action.removeAttribute('data-selected')
    })
    store.updateState({ ...store.getState(), selected: 0 })
  }, [first, typed])
  return null
}

interface Command {
  readonly key: string
  readonly label: string
  readonly hint?: string
  readonly icon: ReactNode
  readonly run: () => void
}

/** The lists to search, each by one member. */
const searches = [
  { many: 'customers', member: 'LastName', icon: 'customers' },
  { many: 'customers', member: 'Email', icon: 'customers' },
  { many: 'products', member: 'Name', icon: 'products' },
  { many: 'orders', member: 'ReceiptId', icon: 'orders' },
] as const
const creatable = ['customers', 'products', 'orders', 'outlets'] as const

/** The records that contain the text, from all searches. */
function useRecords(companyId: string | undefined, wanted: string, isOpen: boolean) {
  const { data = [] } = useQuery({
    queryKey: [companyId, 'palette', wanted],
    enabled: isOpen && companyId !== undefined && wanted.length > 1,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        searches.map(async ({ many, member }) => {
          const query = { [`searchBy${member}`]: wanted, limit: 5 }
          const { data } = await get<Page>({ companyId: companyId as string }, `/v1/${many}`, { query, signal })
          return data.map((record) => ({ many, record }))
        }),
      )
      return [...new Map(found.flat().map((one) => [one.record.id, one])).values()]
    },
  })
  return wanted.length > 1 ? data : []
}

/** All pages and actions, and the records that contain the text. */
function useCommands(wanted: string, isOpen: boolean) {
  const { companyId } = useParams({ strict: false })
  const navigate = useNavigate()
  const sections = useSections()
  const { toggleColorScheme } = useMantineColorScheme()
  const records = useRecords(companyId, wanted, isOpen)
  const places = sections.flatMap(({ places }) => places)
  const iconOf = (many: string) => {
    const Sign = places.find(({ to }) => to.endsWith(`/${many}`))?.icon ?? IconSearch
    return <Sign size={18} stroke={1.7} />
  }
  const go = (to: string) => () => void navigate({ to })
  const pages = places.map(
    ({ label, to, icon: Sign, isOutside }): Command => ({
      key: to,
      label,
      icon: <Sign size={18} stroke={1.7} />,
      run: isOutside ? () => void window.open(to, '_blank', 'noreferrer') : go(to),
    }),
  )
  const making =
    companyId === undefined
      ? []
      : creatable.map(
          (many): Command => ({
            key: `new ${many}`,
            label: text.commands.new[many],
            icon: <IconPlus size={18} stroke={1.7} />,
            run: go(`/c/${companyId}/${many}/new`),
          }),
        )
  const actions = [
    ...making,
    { key: 'theme', label: text.commands.theme, icon: <IconMoon size={18} stroke={1.7} />, run: toggleColorScheme },
  ]
  const found = records.map(
    ({ many, record }): Command => ({
      key: record.id,
      label: titleOf(many, record as RecordData),
      hint: text.pages[many],
      icon: iconOf(many),
      run: go(`/c/${companyId}/${many}/${record.id}`),
    }),
  )
  return { pages, actions, found }
}

export function CommandPalette({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed.trim(), 150)

  useEffect(() => {
    if (isOpen) spotlight.open()
    else spotlight.close()
  }, [isOpen])

  const { pages, actions, found } = useCommands(wanted, isOpen)
  const fits = ({ label }: Command) => label.toLowerCase().includes(typed.trim().toLowerCase())
  const groups = [
    { label: text.commands.pages, commands: pages.filter(fits) },
    { label: text.commands.actions, commands: actions.filter(fits) },
  ]
  const isEmpty = found.length === 0 && groups.every(({ commands }) => commands.length === 0)

  const first = [...found, ...groups.flatMap(({ commands }) => commands)][0]?.key

  return (
    <Spotlight.Root
      store={store}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={close}
      shortcut={null}
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': text.commands.title } }}
    >
      <Spotlight.Search
        placeholder={text.commands.placeholder}
        aria-label={text.commands.placeholder}
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList id={listId}>
        <FirstSelected first={first} typed={typed} />
        {found.map((command) => (
          <Entry key={command.key} command={command} />
        ))}
        {groups.map(({ label, commands }) =>
          commands.length === 0 ? null : (
            <Spotlight.ActionsGroup key={label} label={label}>
              {commands.map((command) => (
                <Entry key={command.key} command={command} />
              ))}
            </Spotlight.ActionsGroup>
          ),
        )}
        {isEmpty && <Spotlight.Empty>{text.commands.nothing}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function Entry({ command: { label, hint, icon, run } }: { command: Command }) {
  return (
    <Spotlight.Action onClick={run} className={classes.entry}>
      <span className={classes.icon}>{icon}</span>
      <Text size="sm" flex={1} className="cut">
        <bdi>{label}</bdi>
      </Text>
      {hint && <span className={classes.hint}>{hint}</span>}
    </Spotlight.Action>
  )
}
