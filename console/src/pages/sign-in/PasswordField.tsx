// A password input: warns about Caps Lock, and shows how many characters a new password lacks.
import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../texts/sign-in.ts'

/** The minimum length of a new password; the server checks the rest. */
const least = 10

interface PasswordFieldProps extends Omit<PasswordInputProps, 'onChange' | 'value'> {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The password is new, not an existing one. */
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
      aria-invalid={props.error ? true : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyUp={(event) => setCaps(event.getModifierState('CapsLock'))}
      onBlur={() => setCaps(false)}
      description={isCaps ? text.capsLock : !props.error && hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  )
}
