// The input of a number or an amount, typed and pasted as the locale writes numbers; leaving it shows how it was read.
import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { readJsonNumber, readNumber, typedNumber } from './typed-number.ts'
import { Unreadable } from './unreadable.ts'

interface NumberTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A number, or the text of an amount; `Unreadable` where neither was typed. */
  readonly value: unknown
  readonly onChange: (value: number | string | Unreadable | undefined) => void
  /** Whether the value is a text, which keeps all its digits. */
  readonly isDecimal?: boolean
}

export function NumberText({
  value,
  onChange,
  isDecimal = false,
  error,
  onFocus,
  onBlur,
  className,
  ...props
}: NumberTextProps) {
  const [typed, setTyped] = useState<string>()
  const [isFocused, setFocused] = useState(false)
  const read = (text: string) => (text.trim() === '' ? undefined : isDecimal ? readNumber(text) : readJsonNumber(text))
  const isKept = typed !== undefined && !(value instanceof Unreadable) && read(typed) === (value ?? undefined)
  const shown = value instanceof Unreadable ? value.typed : isKept ? typed : shownOf(value)
  return (
    <TextInput
      {...props}
      className={`numbers ${className ?? ''}`}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        onChange(read(next))
      }}
      onFocus={(event) => {
        setFocused(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setFocused(false)
        setTyped(undefined)
        onBlur?.(event)
      }}
      // While it is typed, a number may be on its way.
      error={value instanceof Unreadable ? !isFocused && value.reason : error}
    />
  )
}

/** A value that is no number, as a record of another program may hold, is shown as it is. */
const shownOf = (value: unknown): string =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    ? typedNumber(value)
    : String(value ?? '')
