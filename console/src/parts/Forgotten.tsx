// Help with a forgotten password: the service mails a link, or, where it sends no mail, a person has to create one.
import { Alert, Anchor, Button, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { get } from '../api/request.ts'
import { text } from '../texts/sign-in.ts'

/** `hint` adds what matters in the place where it is shown. */
export function Forgotten({ email, hint }: { email: string; hint?: string }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  // The help is made at its first use, and keeps what it says while it is folded.
  const [isMade, setMade] = useState(false)
  function open() {
    setMade(true)
    toggle()
  }
  return (
    <div>
      <Anchor component="button" type="button" size="sm" onClick={open} aria-expanded={isOpen}>
        {text.forgotten}
      </Anchor>
      <Collapse expanded={isOpen}>
        <Stack gap={6} mt="xs" align="flex-start">
          {isMade && <Reset email={email.trim()} />}
          {hint && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </Stack>
      </Collapse>
    </div>
  )
}

/** Loaded when it is shown: it has a tooltip, which the page of a sign-in does not need otherwise. */
const CopyValue = lazy(() => import('./CopyValue.tsx').then((part) => ({ default: part.CopyValue })))

type Outcome = { readonly sentTo: string } | { readonly failure: string } | 'no mail'

/** Whether the service sends mail. */
const sendsMail = document.querySelector('meta[name="cashwrap-mail"]') !== null

/** Asks for a link to a typed address; what the answer means. */
async function askForLink(email: string): Promise<Outcome> {
  try {
    await get('person', '/v1/console/password-reset', { method: 'POST', body: { email } })
    return { sentTo: email }
  } catch (error) {
    const { code, message } = asProblem(error)
    return code === 'conflict' ? 'no mail' : { failure: message }
  }
}

function Reset({ email }: { email: string }) {
  const [outcome, setOutcome] = useState<Outcome | undefined>(sendsMail ? undefined : 'no mail')
  const [isBusy, setBusy] = useState(false)
  async function ask() {
    if (email === '') return setOutcome({ failure: text.resetMissing })
    setBusy(true)
    setOutcome(await askForLink(email))
    setBusy(false)
  }
  if (outcome === 'no mail')
    return (
      <>
        <Text size="sm" c="dimmed" role="status">
          {text.forgottenHint}
        </Text>
        <Suspense>
          <CopyValue value={text.forgottenCommand(email)} />
        </Suspense>
      </>
    )
  if (outcome && 'sentTo' in outcome && outcome.sentTo === email)
    return (
      <Alert color="green" role="status" title={text.resetSentTitle} w="100%">
        <bdi>{text.resetSent(email)}</bdi>
      </Alert>
    )
  return (
    <>
      <Text size="sm" c="dimmed">
        <bdi>{email === '' ? text.resetHint : text.resetHintFor(email)}</bdi>
      </Text>
      {outcome && 'failure' in outcome && (
        <Text size="sm" c="red" role="alert">
          {outcome.failure}
        </Text>
      )}
      <Button variant="default" loading={isBusy} onClick={() => void ask()}>
        {text.resetAction}
      </Button>
    </>
  )
}
