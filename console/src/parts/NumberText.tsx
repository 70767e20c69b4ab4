// The input of a number or an amount in the locale's format. On blur it shows the number as it was read, and an amount with its decimals.
import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { currencyDigits } from '../../../server/src/core/currency.ts'
import { readAmount, readJsonNumber, readNumber, typedNumber } from './typed-number.ts'
import { Unreadable } from './unreadable.ts'

interface NumberTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** A number, or the text of an amount; `Unreadable` if the text is neither. */
  readonly value: unknown
  readonly onChange: (value: number | string | Unreadable | undefined) => void
  /** Whether the value is a string, which keeps all digits. */
  readonly isDecimal?: boolean
  /** Of an amount of money, which is shown with the decimals of its currency. */
  readonly currency?: string | undefined
  /** Whether an amount may be finer than the smallest unit of its currency, as the price of one unit may. */
  readonly isFine?: boolean
}

export function NumberText({
  value,
  onChange,
  isDecimal = false,
  currency,
  isFine = false,
  error,
  onKeyDown,
  onBlur,
  ...props
}: NumberTextProps) {
  const [typed, setTyped] = useState<string>()
  const [isTyping, setTyping] = useState(false)
  const [initial] = useState({ value, currency })
  const decimals = currency === undefined ? 0 : currencyDigits(currency)
  const read = (text: string) => {
    if (text.trim() === '') return undefined
    // What is typed back to the stored amount is no change: `3.50` for 3.5. Another program may have stored one that is
    // finer than its currency, which must not keep the rest from being saved.
    const before = currency === initial.currency ? initial.value : undefined
    if (typeof before === 'string' && shownOf(readNumber(text), decimals) === shownOf(before, decimals)) return before
    if (currency !== undefined && !isFine) return readAmount(text, currency)
    return isDecimal ? readNumber(text) : readJsonNumber(text)
  }
  const isKept = typed !== undefined && !(value instanceof Unreadable) && read(typed) === (value ?? undefined)
  const shown = value instanceof Unreadable ? value.typed : isKept ? typed : shownOf(value, decimals)
  const readFor = useRef(currency)
  // Another currency has other decimals, so the amount is read again.
  useEffect(() => {
    if (readFor.current === currency) return
    readFor.current = currency
    const again = read(value instanceof Unreadable ? value.typed : shownOf(value))
    if (again !== (value ?? undefined)) onChange(again)
  })
  return (
    <TextInput
      {...props}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        setTyping(true)
        onChange(read(next))
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') setTyping(false)
        onKeyDown?.(event)
      }}
      onBlur={(event) => {
        setTyping(false)
        setTyped(undefined)
        onBlur?.(event)
      }}
      // While typing, a number may be incomplete. Enter sends the form, whose first wrong input then has the focus.
      error={value instanceof Unreadable ? !isTyping && value.reason : error}
    />
  )
}

/** A value that is not a number, such as one written by another program, is shown unchanged. */
const shownOf = (value: unknown, decimals = 0): string =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    ? typedNumber(value, { decimals })
    : String(value ?? '')
