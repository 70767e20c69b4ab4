// JSON to read and copy, however long.
import { ActionIcon, Code, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useMemo } from 'react'
import { text as shell } from '../../texts/shell.ts'
import classes from './JsonBlock.module.css'

export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  const json = useMemo(() => JSON.stringify(value, null, 2), [value])
  return (
    <div className={classes.frame}>
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={label}>
        {json}
      </Code>
      <CopyButton value={json} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? shell.copied : shell.copy}>
            <ActionIcon
              size="sm"
              className={classes.copy}
              onClick={copy}
              aria-label={`${shell.copy}: ${label}`}
              color={copied ? 'teal' : 'gray'}
            >
              {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  )
}
