// The name of a table as it is typed: spaces become hyphens, and invalid characters are reported at once.
import { TextInput } from '@mantine/core'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/tables.ts'

interface NameInputProps {
  readonly value: string
  readonly onChange: (name: string) => void
  readonly error: string | undefined
}

export function NameInput({ value, onChange, error }: NameInputProps) {
  // A hyphen at the end is valid while the next word is not typed yet.
  const isWrong = value !== '' && !/^[a-z0-9]+(-[a-z0-9]+)*-?$/.test(value)
  return (
    <TextInput
      label={text.name}
      description={text.nameHint}
      placeholder="loyalty"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.toLowerCase().replaceAll(/[\s_]+/g, '-'))}
      error={isWrong || (value === '' && error !== undefined) ? text.nameWrong : error}
      maxLength={63}
      required
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      {...firstInput()}
    />
  )
}
