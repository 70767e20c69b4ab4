// The search box of a list; the placeholder says what is searched, and ↓ goes to the first row.
import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { KeyboardEvent, Ref } from 'react'

interface SearchInputProps extends Omit<TextInputProps, 'label' | 'onChange' | 'value'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly ref?: Ref<HTMLInputElement>
}

export const SearchInput = ({ label, onChange, ...rest }: SearchInputProps) => (
  <TextInput
    type="search"
    w={{ base: '100%', xs: 300 }}
    leftSection={<IconSearch size={15} />}
    placeholder={label}
    aria-label={label}
    onChange={(event) => onChange(event.currentTarget.value)}
    onKeyDown={toFirstRow}
    {...rest}
  />
)

function toFirstRow(event: KeyboardEvent): void {
  const list = document.querySelector('tr[data-index]')?.closest('section')
  if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing || !list) return
  // The key would scroll the row under the headings.
  event.preventDefault()
  list.scrollTop = 0
  requestAnimationFrame(() => list.querySelector<HTMLElement>('tr[data-index="0"] a')?.focus())
}
