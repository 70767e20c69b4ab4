// The input of a member with any JSON. Invalid text stays as typed and blocks saving.
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { text } from '../texts/records.ts'
import { Unreadable } from './unreadable.ts'

interface JsonMemberProps {
  readonly label: string
  readonly error: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

export function JsonMember({ value, onChange, label, error }: JsonMemberProps) {
  const [typed, setTyped] = useState<string>()
  // Keeps line breaks and spaces while the text equals the form's value.
  const isKept = typed !== undefined && JSON.stringify(read(typed)) === JSON.stringify(value)
  const written = value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
  return (
    <Textarea
      label={label}
      error={value instanceof Unreadable ? value.reason : error}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={value instanceof Unreadable ? value.typed : isKept ? typed : written}
      onChange={({ currentTarget: { value: next } }) => {
        setTyped(next)
        onChange(read(next))
      }}
    />
  )
}

function read(typed: string): unknown {
  if (typed.trim() === '') return undefined
  try {
    return JSON.parse(typed)
  } catch {
    return new Unreadable(typed, text.notJson)
  }
}
