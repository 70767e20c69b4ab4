// Shows an invitation or password link to hand over, and whether it was mailed too.
import { Alert, Button, Stack, Text } from '@mantine/core'
import { CopyField } from '../../parts/CopyField.tsx'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { text } from '../../texts/people.ts'

interface MemberLinkProps {
  /** Its path at the service's address. */
  readonly path: string
  readonly hint: string
  /** The address to which the service sends it. */
  readonly mailedTo?: string | undefined
  readonly done: () => void
}

export function MemberLink({ path, hint, mailedTo, done }: MemberLinkProps) {
  return (
    <Stack gap="lg">
      {mailedTo !== undefined && (
        <Alert color="green" role="status">
          <bdi>{text.mailed(mailedTo)}</bdi>
        </Alert>
      )}
      <Text size="sm">{hint}</Text>
      <CopyField label={text.link} value={`${window.location.origin}${path}`} action={text.copyLink} />
      <DialogButtons>
        <Button variant="default" onClick={done}>
          {text.done}
        </Button>
      </DialogButtons>
    </Stack>
  )
}
