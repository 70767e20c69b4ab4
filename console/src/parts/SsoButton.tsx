// Signs in at the operator's OpenID provider, in place of the password.
import { Button, Stack } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { goToProvider, providerLabel, type SsoPurpose } from '../api/sso.ts'
import { text } from '../texts/sso.ts'
import { FormMessage } from './FormMessage.tsx'
import { useSubmission } from './submission.ts'

interface SsoButtonProps {
  readonly size?: 'sm' | 'md'
  readonly purpose: SsoPurpose
}

/** Nothing where there is no provider. */
export function SsoButton({ size = 'md', purpose }: SsoButtonProps) {
  const { isBusy, problem, run } = useSubmission()
  if (providerLabel === undefined) return null
  return (
    <Stack gap="xs">
      <FormMessage>{problem?.message}</FormMessage>
      <Button
        variant="default"
        size={size}
        leftSection={<IconLogin2 size={18} aria-hidden />}
        loading={isBusy}
        onClick={() => void run(() => goToProvider(purpose))}
      >
        {text.continueWith(providerLabel)}
      </Button>
    </Stack>
  )
}
