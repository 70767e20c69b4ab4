// A link by which a member chooses a password, to be handed on: the service sends no mail.
import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { text } from '../../texts/people.ts'

interface MemberLinkProps {
  /** Its path at the service's address. */
  readonly path: string
  readonly hint?: string | undefined
  readonly done: () => void
}

export function MemberLink({ path, hint, done }: MemberLinkProps) {
  const url = `${window.location.origin}${path}`
  return (
    <Stack gap="lg">
      <Text size="sm">
        {text.linkHint} {hint}
      </Text>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label={text.link}
          value={url}
          readOnly
          flex={1}
          miw={0}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', textOverflow: 'ellipsis' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={url} timeout={3000}>
          {({ copied, copy }) => (
            <Button
              autoFocus
              flex="none"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              color={copied ? 'teal' : undefined}
              onClick={copy}
            >
              {copied ? text.copied : text.copyLink}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={done}>
          {text.done}
        </Button>
      </Group>
    </Stack>
  )
}
