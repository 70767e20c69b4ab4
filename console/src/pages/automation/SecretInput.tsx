// The secret of a trigger: generated or entered by the user; a stored secret is never shown again.
import { ActionIcon, Button, Code, Group, Input, PasswordInput, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconKey } from '@tabler/icons-react'
import { createContext, useContext, useRef, useState } from 'react'
import type { MemberInputProps } from '../../parts/member-shape.ts'
import { sentence } from '../../parts/messages.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/automation.ts'
import { isMask, newSecret } from './triggers.ts'

const { secret: words } = text

/** Called with a secret that was chosen but not saved yet; undefined once there is none. */
export const ChosenSecret = createContext<(secret: string | undefined) => void>(() => {})

export function SecretInput({ value, onChange: put, pointer, errors, isReadOnly }: MemberInputProps) {
  const notify = useContext(ChosenSecret)
  const [isTyping, setTyping] = useState(false)
  // The initial value, for Undo.
  const first = useRef<string | undefined>(value)
  // After saving, the mask is another one.
  if (value !== undefined && isMask(value) && value !== first.current) {
    first.current = value
    if (isTyping) setTyping(false)
  }
  const stored = first.current !== undefined && isMask(first.current) ? first.current : undefined
  const isMade = value !== undefined && value !== stored && !isMask(value) && !isTyping
  const isRemoved = stored !== undefined && value === undefined && !isTyping

  function onChange(next: string | undefined) {
    notify(next === undefined || isMask(next) ? undefined : next)
    put(next)
  }
  function make() {
    setTyping(false)
    onChange(newSecret())
  }
  function undo() {
    setTyping(false)
    onChange(stored)
  }
  if (isTyping)
    return (
      <Typing
        value={value === undefined || isMask(value) ? '' : value}
        onChange={(typed) => onChange(typed || stored)}
        error={sentence(errors.get(pointer))}
        undo={undo}
      />
    )
  return (
    <Input.Wrapper label={words.label} labelElement="div" error={sentence(errors.get(pointer))}>
      {isMade ? (
        <Made stored={stored} remove={() => onChange(undefined)} undo={undo} />
      ) : (
        <>
          <Text size="sm" c="dimmed" role="status">
            {isRemoved ? (
              words.willBeRemoved
            ) : stored === undefined ? (
              words.none
            ) : (
              <>
                <Code>{stored}</Code>
                <br />
                {words.set}
              </>
            )}
          </Text>
          {!isReadOnly && (
            <Buttons
              {...{ stored, isRemoved, make, undo }}
              type={() => setTyping(true)}
              remove={() => onChange(undefined)}
            />
          )}
        </>
      )}
    </Input.Wrapper>
  )
}

interface ButtonsProps {
  /** The mask of the stored secret, if there is one. */
  readonly stored: string | undefined
  readonly isRemoved: boolean
  readonly make: () => void
  readonly type: () => void
  readonly remove: () => void
  readonly undo: () => void
}

function Buttons({ stored, isRemoved, make, type, remove, undo }: ButtonsProps) {
  return (
    <Group gap="xs" mt={8}>
      <Button size="xs" variant="default" leftSection={<IconKey size={14} />} onClick={make}>
        {stored === undefined || isRemoved ? words.make : words.replace}
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={type}>
        {words.own}
      </Button>
      {stored !== undefined && !isRemoved && (
        <Button size="xs" variant="subtle" color="red" onClick={remove}>
          {words.remove}
        </Button>
      )}
      {isRemoved && <Undo onClick={undo} />}
    </Group>
  )
}

function Undo({ onClick }: { onClick: () => void }) {
  return (
    <Tooltip label={words.undo}>
      <ActionIcon size={34} onClick={onClick} aria-label={words.undo}>
        <IconArrowBackUp size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A secret was made, and is not saved yet. */
function Made({ stored, remove, undo }: Pick<ButtonsProps, 'stored' | 'remove' | 'undo'>) {
  return (
    <Group gap="xs" wrap="nowrap" role="status">
      <Text size="sm" c="dimmed">
        {words.made}
      </Text>
      {stored === undefined ? (
        <Button size="xs" variant="subtle" color="red" onClick={remove} style={{ flex: 'none' }}>
          {words.remove}
        </Button>
      ) : (
        <Undo onClick={undo} />
      )}
    </Group>
  )
}

interface TypingProps {
  readonly value: string
  readonly onChange: (typed: string) => void
  readonly error: string | undefined
  readonly undo: () => void
}

function Typing({ value, onChange, error, undo }: TypingProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <PasswordInput
        flex={1}
        label={words.ownLabel}
        description={words.ownHint}
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        autoComplete="off"
        {...firstInput()}
      />
      <Undo onClick={undo} />
    </Group>
  )
}
