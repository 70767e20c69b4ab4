// Signs in with a passkey, in place of password and code.
import { Button, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import type { SignedIn } from '../api/schemas.ts'
import { text } from '../texts/passkeys.ts'
import { FormMessage } from './FormMessage.tsx'
import { hasPasskeys, signInWithPasskey } from './passkeys.ts'
import { useSubmission } from './submission.ts'

interface PasskeyButtonProps {
  readonly size?: 'sm' | 'md'
  readonly onSignedIn: (signedIn: SignedIn) => Promise<void>
}

/** Nothing where the browser has no passkeys. */
export function PasskeyButton({ size = 'md', onSignedIn }: PasskeyButtonProps) {
  const { isBusy, problem, run } = useSubmission()
  const [isCancelled, setCancelled] = useState(false)
  if (!hasPasskeys()) return null
  const begin = () =>
    void run(async () => {
      setCancelled(false)
      const signedIn = await signInWithPasskey()
      if (signedIn === undefined) setCancelled(true)
      else await onSignedIn(signedIn)
    })
  return (
    <Stack gap="xs">
      <FormMessage>{isCancelled ? text.cancelled : problem?.message}</FormMessage>
      <Button
        variant="default"
        size={size}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isBusy}
        onClick={begin}
      >
        {text.signIn}
      </Button>
    </Stack>
  )
}
