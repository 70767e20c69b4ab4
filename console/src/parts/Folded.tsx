// A part of a form that is folded until it is needed; what is in it is drawn only then.
import { Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './Folded.module.css'

interface FoldedProps {
  readonly title: string
  readonly hint?: string
  /** Unfolded whatever the user did, such as when something in it needs attention. */
  readonly isForced?: boolean
  readonly children: ReactNode
}

export function Folded({ title, hint, isForced = false, children }: FoldedProps) {
  const [isChosen, setChosen] = useState(false)
  const id = useId()
  const isOpen = isChosen || isForced
  return (
    <div>
      <UnstyledButton
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen(!isOpen)}
      >
        <IconChevronRight size={16} className={classes.sign} data-open={isOpen || undefined} aria-hidden />
        {title}
      </UnstyledButton>
      <div id={id} className={classes.content} hidden={!isOpen}>
        {isOpen && (
          <>
            {hint !== undefined && (
              <Text size="sm" c="dimmed" mb="sm">
                {hint}
              </Text>
            )}
            {children}
          </>
        )}
      </div>
    </div>
  )
}
