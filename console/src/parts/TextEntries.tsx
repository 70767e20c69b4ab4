// Inputs for lists of plain text: notes, and metadata with a key and a value. Other entries are edited as JSON.
import { ActionIcon, Button, Fieldset, Group, Input, Stack, Text, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { useFormat } from './format.ts'
import { JsonMember } from './JsonMember.tsx'
import { type InputProps, typeOf } from './member-shape.ts'
import { sentence } from './messages.ts'
import { noteOf, pairOf, withMessage } from './notes.ts'
import classes from './TextEntries.module.css'

type EntriesProps = InputProps & { readonly label: string }

interface Rows {
  readonly rows: readonly unknown[]
  /** The index of a row among the sent ones; empty rows are not sent. */
  readonly placeOf: (row: number) => number
  readonly put: (row: number, next: unknown) => void
  readonly add: (row: unknown) => void
  readonly remove: (row: number) => void
}

/** The entries, including added ones that are still empty and not sent. */
function useRows(value: unknown, onChange: (value: unknown) => void, isEmpty: (entry: unknown) => boolean): Rows {
  const sent: readonly unknown[] = Array.isArray(value) ? value : []
  const [held, setHeld] = useState<{ rows: readonly unknown[]; sent: readonly unknown[] }>()
  const [first] = useState(sent)
  // Original entries are sent unchanged, even if empty.
  const isSent = (entry: unknown) => entry !== undefined && (!isEmpty(entry) || first.includes(entry))
  // The entries changed from outside: the form was reset or saved.
  const rows = held !== undefined && JSON.stringify(held.sent) === JSON.stringify(sent) ? held.rows : sent
  function change(next: readonly unknown[]) {
    const filled = next.filter(isSent)
    setHeld({ rows: next, sent: filled })
    onChange(filled.length === 0 ? undefined : filled)
  }
  return {
    rows,
    placeOf: (row) => rows.slice(0, row).filter(isSent).length,
    put: (row, next) => change(rows.map((entry, n) => (n === row ? next : entry))),
    add: (row) => change([...rows, row]),
    remove: (row) => change(rows.filter((_, n) => n !== row)),
  }
}

/** Notes as plain text; a new note gets the current time. */
export function NotesInput({ label, schema, value, onChange, pointer, errors }: EntriesProps) {
  const format = useFormat()
  const list = useRows(value, onChange, (entry) => noteOf(entry)?.message.trim() === '')
  const isText = typeOf(schema.items ?? {}) === 'string'
  return (
    <Entries
      {...{ label, list }}
      add={text.addNote}
      error={errors.get(pointer)}
      begin={() => (isText ? '' : { message: '', createdAt: new Date().toISOString() })}
    >
      {(entry, row) => {
        const note = noteOf(entry)
        if (note === undefined) return undefined
        const at = `${pointer}/${list.placeOf(row)}`
        return (
          <>
            <Textarea
              aria-label={text.note(row + 1)}
              minRows={1}
              maxRows={12}
              dir="auto"
              value={note.message}
              onChange={({ currentTarget }) => list.put(row, withMessage(entry, currentTarget.value))}
              error={sentence(errors.get(`${at}/message`) ?? errors.get(at))}
            />
            {(note.createdAt !== undefined || note.others.length > 0) && (
              <Text size="xs" c="dimmed" mt={2}>
                {[format.dateTime(note.createdAt), ...note.others.map(([what, said]) => `${labelOf(what)}: ${said}`)]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            )}
          </>
        )
      }}
    </Entries>
  )
}

/** Metadata, with a key and a value in each row. */
export function MetadataInput({ label, value, onChange, pointer, errors }: EntriesProps) {
  const list = useRows(value, onChange, (entry) => {
    const pair = pairOf(entry)
    return pair !== undefined && pair.key.trim() === '' && pair.value === ''
  })
  return (
    <Entries {...{ label, list }} add={text.addRow} error={errors.get(pointer)} begin={() => ({ key: '', value: '' })}>
      {(entry, row) => {
        const pair = pairOf(entry)
        if (pair === undefined) return undefined
        const at = `${pointer}/${list.placeOf(row)}`
        return (
          <div className={classes.pair}>
            <TextInput
              aria-label={text.keyOf(row + 1)}
              placeholder={text.key}
              autoComplete="off"
              dir="auto"
              value={pair.key}
              onChange={({ currentTarget }) => list.put(row, { ...pair, key: currentTarget.value })}
              error={sentence(errors.get(`${at}/key`) ?? errors.get(at))}
            />
            <Textarea
              aria-label={text.valueOf(row + 1)}
              placeholder={text.value}
              minRows={1}
              maxRows={8}
              dir="auto"
              value={pair.value}
              onChange={({ currentTarget }) => list.put(row, { ...pair, value: currentTarget.value })}
              error={sentence(errors.get(`${at}/value`))}
            />
          </div>
        )
      }}
    </Entries>
  )
}

interface ListProps {
  readonly label: string
  readonly list: Rows
  /** The label of the button that adds a row. */
  readonly add: string
  readonly begin: () => unknown
  readonly error: string | undefined
  /** The inputs of an entry; undefined if it is other JSON. */
  readonly children: (entry: unknown, row: number) => ReactNode | undefined
}

function Entries({ label, list, add, begin, error, children }: ListProps) {
  return (
    <Fieldset legend={label} variant="filled">
      <Stack gap="xs">
        {list.rows.map((entry, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place.
          <Group key={row} align="flex-start" wrap="nowrap" gap="xs">
            <div className={classes.entry}>
              {children(entry, row) ?? (
                <JsonMember
                  label={text.entry(row + 1)}
                  error={undefined}
                  value={entry}
                  onChange={(next) => list.put(row, next)}
                />
              )}
            </div>
            <Tooltip label={text.remove}>
              <ActionIcon size={34} aria-label={`${text.remove}: ${label} ${row + 1}`} onClick={() => list.remove(row)}>
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
        ))}
        {error !== undefined && <Input.Error>{sentence(error)}</Input.Error>}
        <Group>
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={() => list.add(begin())}>
            {add}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
