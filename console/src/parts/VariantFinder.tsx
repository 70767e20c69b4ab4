// Adds variants one after another: by name, or by a scanned barcode, which is added at once.
import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBarcode } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useScope } from '../api/company.ts'
import { asProblem } from '../api/problem.ts'
import { text } from '../texts/scan.ts'
import { complain, warn } from './notices.ts'
import { ScanButton } from './scan/ScanButton.tsx'
import { firstInput } from './use-first-input.ts'
import { type FoundVariant, findVariants } from './variant-search.ts'

interface VariantFinderProps {
  readonly label: string
  readonly placeholder: string
  /** Called for one after another, perhaps before the next render. */
  readonly add: (found: FoundVariant) => void
}

const foundQuery = (scope: { readonly companyId: string }, q: string) =>
  queryOptions({
    queryKey: [scope.companyId, 'variants', 'found', q],
    queryFn: ({ signal }) => findVariants(scope, q, signal),
    staleTime: 30_000,
  })

/** What is typed or scanned, what is found, and what becomes of both. */
function useFinder(add: (found: FoundVariant) => void) {
  const scope = useScope()
  const [opened, setOpened] = useState(false)
  const combobox = useCombobox({
    opened,
    onOpenedChange: setOpened,
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 150)
  const [waiting, setWaiting] = useState(0)
  const last = useRef<Promise<void>>(Promise.resolve())
  const { data = [], error, isFetching } = useQuery({ ...foundQuery(scope, q), enabled: q !== '' })
  const isCurrent = q === typed.trim()

  function take(one: FoundVariant) {
    add(one)
    setTyped('')
    combobox.closeDropdown()
  }

  /** A code that was not added is shown again, unless the next one is already typed. */
  function giveBack(code: string) {
    setTyped((now) => now || code)
    // Not by the combobox of the render in which Enter was pressed, for which the list is still open.
    setOpened(true)
  }

  async function addCode(code: string) {
    try {
      // A request of its own: that of the list ends when its text is cleared.
      const found = await findVariants(scope, code)
      const one = found.find(({ isExact }) => isExact) ?? (found.length === 1 ? found[0] : undefined)
      if (one !== undefined) return add(one)
      if (found.length === 0) warn(text.notFound(code))
      giveBack(code)
    } catch (error) {
      complain(error, code)
      giveBack(code)
    } finally {
      setWaiting((count) => count - 1)
    }
  }

  /** A scanner types whole codes, each with Enter, before the one before was found: they are added in their order. */
  function takeCode(code: string) {
    if (code === '') return
    setTyped('')
    combobox.closeDropdown()
    setWaiting((count) => count + 1)
    last.current = last.current.then(() => addCode(code))
  }

  return {
    combobox,
    typed,
    setTyped,
    take,
    takeCode,
    error,
    isSearching: isFetching || !isCurrent,
    isBusy: isFetching || waiting > 0,
    /** Those of an earlier text are not shown. */
    shown: isCurrent && q !== '' ? data : [],
  }
}

export function VariantFinder({ label, placeholder, add }: VariantFinderProps) {
  const { combobox, typed, setTyped, take, takeCode, isBusy, isSearching, error, shown } = useFinder(add)

  function submit(id: string) {
    const one = shown.find(({ variant }) => variant.id === id)
    if (one !== undefined) take(one)
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'Enter' || combobox.getSelectedOptionIndex() !== -1) return
    event.preventDefault()
    takeCode(typed.trim())
  }

  return (
    <Combobox store={combobox} onOptionSubmit={submit}>
      <Combobox.Target>
        <TextInput
          type="search"
          {...firstInput()}
          aria-label={label}
          placeholder={placeholder}
          leftSection={<IconBarcode size={16} />}
          rightSection={isBusy ? <Loader size={14} aria-label={text.looking} /> : <ScanButton onScan={takeCode} />}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            combobox.openDropdown()
            combobox.updateSelectedOptionIndex()
          }}
          onFocus={() => typed !== '' && combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={press}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={typed.trim() === ''}>
        <Options {...{ shown, isSearching, error }} />
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface OptionsProps {
  readonly shown: readonly FoundVariant[]
  readonly isSearching: boolean
  readonly error: unknown
}

function Options({ shown, isSearching, error }: OptionsProps) {
  const nothing = error ? asProblem(error).message : text.nothing
  return (
    <Combobox.Options mah={300} style={{ overflowY: 'auto' }}>
      {shown.map(({ variant: { id, sku, barcode }, name }) => (
        <Combobox.Option value={id} key={id}>
          <Text size="sm" className="name">
            {name || sku || barcode || id}
          </Text>
          <Text size="xs" c="dimmed">
            {[sku, barcode].filter(Boolean).join(' · ')}
          </Text>
        </Combobox.Option>
      ))}
      {shown.length === 0 && <Combobox.Empty>{isSearching ? text.looking : nothing}</Combobox.Empty>}
    </Combobox.Options>
  )
}
