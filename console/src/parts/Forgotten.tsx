// Help with a forgotten password: the service sends no e-mail, so a person has to create a link.
import { Anchor, Collapse, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { text } from '../texts/sign-in.ts'
import { CopyValue } from './CopyValue.tsx'

/** `hint` adds what matters in the place where it is shown. */
export function Forgotten({ email, hint }: { email: string; hint?: string }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <div>
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={isOpen}>
        {text.forgotten}
      </Anchor>
      <Collapse expanded={isOpen}>
        <Text size="sm" c="dimmed" mt="xs" mb={6}>
          {text.forgottenHint}
        </Text>
        <CopyValue value={text.forgottenCommand(email.trim())} />
        {hint && (
          <Text size="sm" c="dimmed" mt={6}>
            {hint}
          </Text>
        )}
      </Collapse>
    </div>
  )
}
