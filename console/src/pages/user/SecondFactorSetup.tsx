// Turns two-step authentication on: the password, then the QR code and a first code, then the recovery codes.
import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { get } from '../../api/request.ts'
import type { RecoveryCodes, SecondFactorSecret } from '../../api/schemas.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { QrCode } from '../../parts/QrCode.tsx'
import { useSubmission } from '../../parts/submission.ts'
import { text } from '../../texts/second-factor.ts'
import { text as signIn } from '../../texts/sign-in.ts'
import { CurrentPassword } from './CurrentPassword.tsx'

interface SecondFactorSetupProps {
  readonly opened: boolean
  readonly close: () => void
  readonly turnedOn: () => Promise<void>
}

export function SecondFactorSetup({ opened, close, turnedOn }: SecondFactorSetupProps) {
  const [secret, setSecret] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()

  function end() {
    setSecret(undefined)
    setCodes(undefined)
    close()
  }

  // The recovery codes are shown only once, so a click beside the dialog or Escape does not close them.
  const isOpen = codes === undefined
  return (
    <Modal
      opened={opened}
      onClose={end}
      closeOnClickOutside={isOpen}
      closeOnEscape={isOpen}
      withCloseButton={isOpen}
      title={codes === undefined ? text.setUpTitle : text.codesTitle}
    >
      {codes !== undefined ? (
        <Codes
          codes={codes}
          done={() => {
            end()
            void turnedOn()
          }}
        />
      ) : secret === undefined ? (
        <PasswordStep onSecret={setSecret} />
      ) : (
        <CodeStep secret={secret} onCodes={setCodes} />
      )}
    </Modal>
  )
}

interface StepProps {
  readonly message: string | undefined
  readonly isBusy: boolean
  readonly action: string
  readonly submit: () => void
  readonly children: ReactNode
}

function Step({ message, isBusy, action, submit, children }: StepProps) {
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="md">
        <FormMessage>{message}</FormMessage>
        {children}
        <DialogButtons>
          <Button type="submit" loading={isBusy}>
            {action}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

function PasswordStep({ onSecret }: { onSecret: (secret: SecondFactorSecret) => void }) {
  const { hasPassword } = useSignIn().user
  const [currentPassword, setCurrentPassword] = useState('')
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/currentPassword')
  const submit = () =>
    void run(async () => {
      refuseMissing({ '/currentPassword': hasPassword && currentPassword === '' && signIn.missingPassword })
      const body = hasPassword ? { currentPassword } : {}
      onSecret(await get<SecondFactorSecret>('person', '/v1/console/second-factor', { method: 'POST', body }))
    })
  return (
    <Step message={messages.rest} isBusy={isBusy} action={text.next} submit={submit}>
      <CurrentPassword
        description={text.passwordFor}
        value={currentPassword}
        onChange={setCurrentPassword}
        error={messages.at('/currentPassword')}
      />
    </Step>
  )
}

function CodeStep({ secret, onCodes }: { secret: SecondFactorSecret; onCodes: (codes: readonly string[]) => void }) {
  const [code, setCode] = useState('')
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/code')
  const submit = () =>
    void run(async () => {
      refuseMissing({ '/code': code.trim() === '' && signIn.missingCode })
      const path = '/v1/console/second-factor/confirm'
      const { recoveryCodes } = await get<RecoveryCodes>('person', path, { method: 'POST', body: { code } })
      onCodes(recoveryCodes)
    })
  return (
    <Step message={messages.rest} isBusy={isBusy} action={text.turnOn} submit={submit}>
      <Text size="sm">{text.scan}</Text>
      <Group justify="center">
        <QrCode value={secret.uri} label={text.qr} />
      </Group>
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {text.secret}
        </Text>
        <CopyValue value={secret.secret} label={text.key} />
      </div>
      <CodeInput isFirst value={code} onChange={setCode} error={messages.at('/code')} />
      <Text size="xs" c="dimmed">
        {text.endsOthers}
      </Text>
    </Step>
  )
}

function Codes({ codes, done }: { codes: readonly string[]; done: () => void }) {
  const shown = useRef<HTMLElement>(null)
  // The button that had the focus is gone, and the page behind the dialog must not have it.
  useEffect(() => shown.current?.focus({ preventScroll: true }), [])
  return (
    <Stack gap="md">
      <Text size="sm">{text.codesHint}</Text>
      <Code block ref={shown} tabIndex={0} aria-label={text.codes} role="region">
        {codes.join('\n')}
      </Code>
      <DialogButtons>
        <CopyButton value={codes.join('\n')} timeout={3000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? text.copied : text.copyCodes}
            </Button>
          )}
        </CopyButton>
        <Button onClick={done}>{text.saved}</Button>
      </DialogButtons>
    </Stack>
  )
}
