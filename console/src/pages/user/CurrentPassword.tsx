// The proof that a change of how to sign in is the user's own: the current password, or where there is none, a sign-in of a moment ago.
import { Text } from '@mantine/core'
import { useSignIn } from '../../api/sign-in.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/user.ts'
import { PasswordField } from '../sign-in/PasswordField.tsx'

interface CurrentPasswordProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly description?: string
  readonly size?: string
}

export function CurrentPassword({ description, error, ...input }: CurrentPasswordProps) {
  const { hasPassword } = useSignIn().user
  if (!hasPassword)
    return (
      <Text size="sm" c={error === undefined ? 'dimmed' : 'red'} {...(error !== undefined && { role: 'alert' })}>
        {error ?? text.noPassword}
      </Text>
    )
  return (
    <PasswordField
      label={text.currentPassword}
      {...(description !== undefined && { description })}
      error={error}
      {...firstInput()}
      {...input}
    />
  )
}
