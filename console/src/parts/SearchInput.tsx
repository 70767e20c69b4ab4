// The search box of a list; the placeholder says what is searched, and ↓ goes to the first row.
import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'

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
    onKeyDown={({ key }) => key === 'ArrowDown' && document.querySelector<HTMLElement>('tr[data-index] a')?.focus()}
    {...rest}
  />
)
