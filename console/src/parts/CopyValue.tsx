// A value to copy as it is: an id, a key, a shell command.
import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { text } from '../texts/shell.ts'

/** `block` shows several lines. */
export function CopyValue({ value, label, block = false }: { value: string; label?: string; block?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap" align={block ? 'flex-start' : 'center'} miw={0}>
      <Code
        block={block}
        style={block ? { flex: 1, minWidth: 0, overflowX: 'auto' } : { overflowWrap: 'anywhere' }}
        tabIndex={block ? 0 : undefined}
      >
        {value}
      </Code>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? text.copied : text.copy}>
            <ActionIcon
              size="sm"
              onClick={copy}
              aria-label={`${text.copy}${label ? `: ${label}` : ''}`}
              color={copied ? 'teal' : 'gray'}
            >
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
