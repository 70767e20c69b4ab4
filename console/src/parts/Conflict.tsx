// An edit conflict: the current record beside what was typed, with a choice for each member that differs.
import { Button, Modal, Radio, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { Versioned } from '../api/records.ts'
import type { Member, Schema } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { DialogButtons } from './DialogButtons.tsx'
import { differing, type Values } from './draft.ts'
import { Value } from './Value.tsx'

export interface ConflictState {
  /** The current record; undefined if it was deleted. */
  readonly current: Versioned | undefined
  /** Members changed here, with the typed values. */
  readonly changed: readonly string[]
  readonly typed: Values
  /** The members of the form. The typed value of a secret is not shown: it is shown once, when it is saved. */
  readonly members: readonly Member[]
}

interface ConflictProps {
  readonly conflict: ConflictState | undefined
  readonly close: () => void
  /** Saves these members over the current version. */
  readonly save: (current: Versioned, body: Readonly<Record<string, unknown>>) => Promise<void>
  /** Discards what was typed. */
  readonly takeTheirs: (current: Versioned) => void
}

/** A value of a form that declares none, such as that of a custom table, whose columns have names that mean something elsewhere. */
const plain = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? '—'
    : typeof value === 'object'
      ? JSON.stringify(value, null, 1)
      : String(value)

const masked = (value: unknown): unknown => (value === undefined || value === null || value === '' ? value : '••••••••')

export function Conflict({ conflict, close, save, takeTheirs }: ConflictProps) {
  const [theirs, setTheirs] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  if (conflict === undefined) return null
  const { current, changed, typed, members } = conflict
  if (current === undefined)
    return (
      <Modal opened onClose={close} title={text.conflictTitle}>
        <Text size="sm">{text.conflictGone}</Text>
      </Modal>
    )
  const differ = differing(changed, current.record, typed)

  async function submit() {
    if (current === undefined) return
    const mine = differ.filter((member) => !theirs.includes(member))
    if (mine.length === 0) return takeTheirs(current)
    setBusy(true)
    try {
      await save(current, Object.fromEntries(mine.map((member) => [member, typed[member] ?? null])))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal opened onClose={close} title={text.conflictTitle} size="xl">
      <Stack>
        <Text size="sm">{text.conflict}</Text>
        <ScrollArea.Autosize mah={420}>
          <Table verticalSpacing="sm" layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{text.theirs}</Table.Th>
                <Table.Th>{text.mine}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            {differ.map((member) => {
              const { schema = {}, isSecret = false } = members.find(({ name }) => name === member) ?? {}
              const mine = isSecret ? masked(typed[member]) : typed[member]
              return (
                <Choice
                  key={member}
                  name={member}
                  schema={schema}
                  values={{ theirs: current.record[member], mine }}
                  isTheirs={theirs.includes(member)}
                  choose={(isTheirs) =>
                    setTheirs(isTheirs ? [...theirs, member] : theirs.filter((one) => one !== member))
                  }
                />
              )
            })}
          </Table>
        </ScrollArea.Autosize>
        <DialogButtons>
          <Button variant="default" onClick={() => takeTheirs(current)}>
            {text.takeTheirs}
          </Button>
          <Button onClick={submit} loading={isBusy}>
            {text.saveChosen}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly schema: Schema
  readonly values: { readonly theirs: unknown; readonly mine: unknown }
  /** Whether their value is chosen. */
  readonly isTheirs: boolean
  readonly choose: (isTheirs: boolean) => void
}

/** Its name is above its values, which would have a third of a phone's width beside it. */
function Choice({ name, schema, values, isTheirs: isChosen, choose }: ChoiceProps) {
  const isDeclared = Object.keys(schema).length > 0
  return (
    <Table.Tbody>
      <Table.Tr style={{ borderBottom: 0 }}>
        <Table.Th colSpan={2} scope="rowgroup" pb={0}>
          {labelOf(name)}
        </Table.Th>
      </Table.Tr>
      <Table.Tr>
        {([true, false] as const).map((isTheirs) => (
          <Table.Td key={String(isTheirs)} valign="top">
            <Radio
              name={name}
              checked={isChosen === isTheirs}
              onChange={() => choose(isTheirs)}
              label={
                <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {isDeclared ? (
                    <Value isPlain member={name} schema={schema} value={isTheirs ? values.theirs : values.mine} />
                  ) : (
                    plain(isTheirs ? values.theirs : values.mine)
                  )}
                </span>
              }
              aria-label={`${labelOf(name)}: ${isTheirs ? text.theirs : text.mine}`}
            />
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tbody>
  )
}
