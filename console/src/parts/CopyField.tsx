// A value to hand on, in a field with a button that copies it.
import { Button, CopyButton, Group, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { text } from '../texts/shell.ts'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
  /** The label of the button. */
  readonly action: string
  readonly onCopied?: () => void
}

export function CopyField({ label, value, action, onCopied }: CopyFieldProps) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        value={value}
        readOnly
        flex={1}
        miw={0}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', textOverflow: 'ellipsis' } }}
        onFocus={(event) => event.currentTarget.select()}
        onCopy={onCopied}
      />
      <CopyButton value={value} timeout={3000}>
        {({ copied, copy }) => (
          <Button
            autoFocus
            flex="none"
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            color={copied ? 'teal' : undefined}
            onClick={() => {
              copy()
              onCopied?.()
            }}
          >
            {copied ? text.copied : action}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
