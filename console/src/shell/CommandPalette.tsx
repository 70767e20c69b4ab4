// Ctrl-K or “/”: one box that finds records of all kinds, pages and actions.
import { Loader, Modal, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { ScanButton } from '../parts/scan/ScanButton.tsx'
import { text } from '../texts/search.ts'
import { text as shell } from '../texts/shell.ts'
import classes from './CommandPalette.module.css'
import { useChosen } from './chosen.ts'
import type { Entry } from './commands.ts'
import { useGroups } from './entries.ts'
import type { TypeAhead } from './typed-ahead.ts'

/** Characters of a text that the API searches for. */
const TEXT_CHARACTERS = 200

interface SearchProps {
  /** What was typed before the search was there. */
  readonly ahead: TypeAhead
  readonly close: () => void
}

export function CommandPalette({ isOpen, ...search }: SearchProps & { readonly isOpen: boolean }) {
  return (
    <Modal
      opened={isOpen}
      onClose={search.close}
      withCloseButton={false}
      centered={false}
      size={640}
      padding={0}
      classNames={{ inner: classes.inner }}
      attributes={{ content: { 'aria-label': text.title } }}
    >
      <Search {...search} />
    </Modal>
  )
}

function Search({ ahead, close }: SearchProps) {
  const { companyId } = useParams({ strict: false })
  const [typed, setTyped] = useState('')
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = useGroups(typed)
  const { groups, isWaiting } = found
  const entries = groups.flatMap((group) => group.entries)
  const open = (entry: Entry) => {
    close()
    entry.run()
  }
  const { selected, press, reset, openFound } = useChosen(entries, isWaiting, open)
  const idOf = ({ key }: Entry) => `${listId} ${key}`.replaceAll(/[^\w-]/g, '_')
  useSelectedInView(list, selected?.key)

  const scanned = (code: string) => {
    setTyped(code)
    openFound()
  }

  function takeTypedAhead() {
    const { text: early, isEntered } = ahead.end()
    if (early === '') return
    setTyped(early)
    if (isEntered) openFound()
  }

  return (
    <>
      <div className={classes.box}>
        {isWaiting ? <Loader size={18} color="gray" aria-hidden /> : <IconSearch size={18} aria-hidden />}
        <input
          {...inputOf(entries, listId, selected && idOf(selected))}
          placeholder={companyId === undefined ? text.placeholderOutside : text.placeholder}
          value={typed}
          onFocus={takeTypedAhead}
          onKeyDown={press}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            reset()
          }}
        />
        <ScanButton onScan={scanned} />
        <UnstyledButton className={classes.close} onClick={close}>
          {shell.close}
        </UnstyledButton>
      </div>
      <div role="listbox" id={listId} aria-label={text.title} ref={list} className={classes.list}>
        {groups.map(({ label, entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: a list box has groups, not fieldsets.
          <div key={label} role="group" aria-label={label}>
            <div className={classes.group} aria-hidden>
              {label}
            </div>
            {entries.map((entry) => (
              <Option key={entry.key} id={idOf(entry)} entry={entry} isSelected={entry === selected} open={open} />
            ))}
          </div>
        ))}
      </div>
      <Outcome {...found} typed={typed.trim()} isEmpty={entries.length === 0} hasRecords={companyId !== undefined} />
      <VisuallyHidden role="status">{isWaiting ? text.searching : text.count(entries.length)}</VisuallyHidden>
    </>
  )
}

/** What the box is for assistive technology, and for keyboards on a screen. */
const inputOf = (entries: readonly Entry[], listId: string, activeId: string | undefined) =>
  ({
    role: 'combobox',
    'aria-expanded': entries.length > 0,
    'aria-controls': listId,
    'aria-activedescendant': activeId,
    'aria-autocomplete': 'list',
    'aria-label': text.title,
    maxLength: TEXT_CHARACTERS,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    enterKeyHint: 'go',
    'data-autofocus': true,
    className: classes.input,
  }) as const

interface OutcomeProps extends ReturnType<typeof useGroups> {
  readonly typed: string
  readonly isEmpty: boolean
  readonly hasRecords: boolean
}

/** What is said below the entries: that nothing was found, that more was, or that the search failed. */
function Outcome({ typed, isEmpty, hasRecords, isWaiting, hasMore, lists, error, retry }: OutcomeProps) {
  if (isWaiting) return null
  if (error)
    return (
      <div role="alert" className={classes.note}>
        {text.failed}: {asProblem(error).message}{' '}
        <UnstyledButton className={classes.retry} onClick={retry}>
          {shell.tryAgain}
        </UnstyledButton>
      </div>
    )
  if (isEmpty)
    return (
      <div className={classes.nothing}>
        <div className={`name ${classes.nothingTitle}`}>{text.nothing(typed)}</div>
        {hasRecords && <div className="muted">{text.nothingHint}</div>}
      </div>
    )
  return hasMore && lists.length === 0 ? <div className={classes.note}>{text.narrow}</div> : null
}

/** Scrolls to the selected entry where the arrow keys lead outside of what is visible. */
function useSelectedInView(list: RefObject<HTMLDivElement | null>, key: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another entry is selected.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [key])
}

interface OptionProps {
  readonly id: string
  readonly entry: Entry
  readonly isSelected: boolean
  readonly open: (entry: Entry) => void
}

function Option({ id, entry, isSelected, open }: OptionProps) {
  const { label, detail, kind, icon: Sign } = entry
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the focus, and handles the keys.
    <div
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isSelected}
      className={classes.entry}
      // The box keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => open(entry)}
    >
      <Sign size={18} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <div className="cut">
          <bdi>{label}</bdi>
        </div>
        {detail && <div className={`cut ${classes.detail}`}>{detail}</div>}
      </div>
      {kind && <span className={classes.kind}>{kind}</span>}
    </div>
  )
}
