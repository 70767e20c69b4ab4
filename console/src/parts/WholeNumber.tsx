// The input of a whole number that applies at once, as a number of labels; what cannot apply is kept while it is typed.
import { type ComponentProps, useState } from 'react'
import { NumberText } from './NumberText.tsx'

interface WholeNumberProps extends Omit<ComponentProps<typeof NumberText>, 'value' | 'onChange' | 'isDecimal'> {
  readonly value: number
  readonly least: number
  readonly most: number
  /** Called with numbers that apply. */
  readonly onChange: (value: number) => void
}

export function WholeNumber({ value, least, most, onChange, ...props }: WholeNumberProps) {
  const [refused, setRefused] = useState<{ readonly typed: unknown }>()
  return (
    <NumberText
      {...props}
      value={refused === undefined ? value : refused.typed}
      error={refused?.typed !== undefined}
      onChange={(typed) => {
        const applies = typeof typed === 'number' && Number.isInteger(typed) && typed >= least && typed <= most
        setRefused(applies ? undefined : { typed })
        if (applies) onChange(typed)
      }}
      onBlur={() => setRefused(undefined)}
    />
  )
}
