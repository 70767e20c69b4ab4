// The input of a member that takes any JSON; what is typed stays as it was typed until it is JSON.
import { JsonInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../texts/records.ts'

interface JsonMemberProps {
  readonly label: string
  readonly error: string | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly isReadOnly?: boolean | undefined
}

export function JsonMember({ value, onChange, isReadOnly, label, error }: JsonMemberProps) {
  const [typed, setTyped] = useState<string>()
  const isWrong = typed !== undefined && typed.trim() !== '' && !isJson(typed)
  return (
    <JsonInput
      label={label}
      error={error ?? (isWrong ? text.notJson : undefined)}
      disabled={isReadOnly ?? false}
      autosize
      minRows={2}
      maxRows={16}
      ff="monospace"
      value={typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
      onChange={(next) => {
        setTyped(next)
        if (next.trim() === '') onChange(undefined)
        else if (isJson(next)) onChange(JSON.parse(next))
      }}
    />
  )
}

function isJson(typed: string): boolean {
  try {
    JSON.parse(typed)
    return true
  } catch {
    return false
  }
}
