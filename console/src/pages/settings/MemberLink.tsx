// Shows an invitation or password link to hand over, since the service sends no e-mail.
import { Button, Group, Stack, Text } from '@mantine/core'
import { CopyField } from '../../parts/CopyField.tsx'
import { text } from '../../texts/people.ts'

interface MemberLinkProps {
  /** Its path at the service's address. */
  readonly path: string
  readonly hint: string
  readonly done: () => void
}

export function MemberLink({ path, hint, done }: MemberLinkProps) {
  return (
    <Stack gap="lg">
      <Text size="sm">{hint}</Text>
      <CopyField label={text.link} value={`${window.location.origin}${path}`} action={text.copyLink} />
      <Group justify="flex-end">
        <Button variant="default" onClick={done}>
          {text.done}
        </Button>
      </Group>
    </Stack>
  )
}
