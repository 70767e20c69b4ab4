// A password as it is typed: says when Caps Lock is on, and how much a new one lacks.
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../texts/sign-in.ts'

/** Characters that a new password has at least; the server says what else is wrong with one. */
const least = 10

interface PasswordFieldProps extends Omit<PasswordInputProps, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** It is chosen, not known. */
  readonly isNew?: boolean
}

export function PasswordField({ value, onChange, isNew = false, description, ...props }: PasswordFieldProps) {
  const [isCaps, setCaps] = useState(false)
  const missing = least - [...value].length
  const hint = isNew ? (missing > 0 && value !== '' ? text.passwordMore(missing) : text.newPasswordHint) : description
  return (
    <PasswordInput
      label={isNew ? text.newPassword : text.password}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyUp={(event) => setCaps(event.getModifierState('CapsLock'))}
      onBlur={() => setCaps(false)}
      description={isCaps ? text.capsLock : !props.error && hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  )
}
