// The code of a second factor: six digits of the app, or after a click one of the recovery codes.
import { Anchor, Stack, TextInput } from '@mantine/core'
import { type Ref, useState } from 'react'
import { text } from '../texts/sign-in.ts'
import { firstInput, mayBeginInInput } from './use-first-input.ts'

interface CodeInputProps {
  readonly ref?: Ref<HTMLInputElement>
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  /** Before the second factor is on there are no recovery codes. */
  readonly isFirst?: boolean
  /** It takes the place of the password, so the keyboard of a phone is open already. */
  readonly followsPassword?: boolean
  readonly size?: string
}

export function CodeInput(props: CodeInputProps) {
  const { ref, value, onChange, error, isFirst = false, followsPassword = false, size = 'sm' } = props
  const [isRecovery, setRecovery] = useState(false)
  return (
    <Stack gap="xs" align="stretch">
      <TextInput
        // Another element, so that a phone shows the other keyboard.
        key={String(isRecovery)}
        {...(ref && { ref })}
        label={isRecovery ? text.recoveryCode : text.code}
        description={!error && (isRecovery ? text.recoveryCodeHint : text.codeHint)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={followsPassword || mayBeginInInput()}
        {...firstInput()}
        size={size}
      />
      {!isFirst && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          w="fit-content"
          onClick={() => {
            setRecovery(!isRecovery)
            onChange('')
          }}
        >
          {isRecovery ? text.useApp : text.useRecoveryCode}
        </Anchor>
      )}
    </Stack>
  )
}
