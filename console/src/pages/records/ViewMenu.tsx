// The menu of saved views of a list: shows one, saves what is shown under a name, or deletes the one that is shown.
import { Button, Menu, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { notify } from '../../parts/notices.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { useOpenAtOnce } from '../../parts/use-later.ts'
import { text } from '../../texts/records.ts'
import type { Widths } from './columns.ts'
import { useListState } from './list-state.ts'
import { isShown, useSavedViews } from './saved-views.ts'
import { ViewButton } from './ViewButton.tsx'

export interface ViewMenuProps {
  readonly many: string
  readonly columns: readonly string[]
  readonly setColumns: (names: readonly string[]) => void
  readonly widths: Widths
  readonly setWidths: (widths: Widths) => void
}

export function ViewMenu({ many, columns, setColumns, widths, setWidths }: ViewMenuProps) {
  const [state, , show] = useListState()
  const { views, save, remove } = useSavedViews(many)
  const [isNaming, setNaming] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const button = useOpenAtOnce<HTMLButtonElement>(() => setOpen(true))
  const current = views.find((view) => isShown(view, state, columns))
  return (
    <>
      <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
        <Menu.Target>
          <ViewButton ref={button} isView={current !== undefined} />
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }} maw={320}>
          {views.length > 0 && <Menu.Label>{text.views}</Menu.Label>}
          {views.map((view) => (
            <Menu.Item
              key={view.name}
              leftSection={<IconCheck size={15} visibility={view === current ? 'visible' : 'hidden'} />}
              aria-current={view === current || undefined}
              className="name"
              onClick={() => {
                setColumns(view.columns)
                setWidths(view.widths ?? {})
                show(view.state)
              }}
            >
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={15} />} onClick={() => setNaming(true)}>
            {text.saveView}
          </Menu.Item>
          {current && (
            <Menu.Item
              leftSection={<IconTrash size={15} />}
              onClick={() => {
                remove(current.name)
                notify(text.viewDeleted(current.name))
              }}
            >
              {text.deleteView(current.name)}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <NameView
          isTaken={(name) => views.some((view) => view.name === name)}
          save={(name) => save({ name, state, columns, widths })}
          close={() => setNaming(false)}
        />
      )}
    </>
  )
}

interface NameViewProps {
  readonly isTaken: (name: string) => boolean
  readonly save: (name: string) => void
  readonly close: () => void
}

function NameView({ isTaken, save, close }: NameViewProps) {
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const name = typed.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name === '') {
      setMissing(true)
      return input.current?.focus()
    }
    save(name)
    notify(text.viewSaved(name))
    close()
  }

  return (
    <Modal opened onClose={close} title={text.saveView}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            ref={input}
            label={text.viewName}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={isMissing && name === '' && text.viewNeedsName}
            maxLength={60}
            autoComplete="off"
            {...firstInput()}
          />
          <Text size="sm" c="dimmed">
            {isTaken(name) ? text.viewTaken : text.viewHint}
          </Text>
          <DialogButtons cancel={close}>
            <Button type="submit">{text.save}</Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}
