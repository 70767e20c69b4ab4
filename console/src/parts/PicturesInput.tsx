// A record's pictures in order, the first is the main one: dropped here, or by URL. Those on other hosts are links.
import { ActionIcon, Anchor, Button, Group, Input, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { attachmentAt } from '../api/picture-files.ts'
import { text } from '../texts/catalog.ts'
import { hrefOf, isShowable, Picture } from './Picture.tsx'
import { PictureDrop } from './PictureDrop.tsx'
import classes from './PicturesInput.module.css'
import { RecordName } from './RecordName.tsx'

interface PicturesInputProps {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (value: string[] | undefined) => void
  readonly pointer: string
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
}

export function PicturesInput({ label, value, onChange, pointer, errors, isReadOnly }: PicturesInputProps) {
  // Pictures are sent one after another, each after the ones that the record has by then.
  const latest = useRef(value)
  latest.current = value
  const put = (urls: string[]) => onChange(urls.length === 0 ? undefined : urls)
  const append = (urls: readonly string[]) => {
    const next = [...latest.current, ...urls]
    latest.current = next
    put(next)
  }

  function swap(n: number, other: number) {
    const next = [...value]
    ;[next[n], next[other]] = [next[other] as string, next[n] as string]
    put(next)
  }

  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {value.length > 0 && (
        <ol className={classes.list}>
          {value.map((url, n) => (
            <OnePicture
              // biome-ignore lint/suspicious/noArrayIndexKey: a URL may occur twice.
              key={`${n} ${url}`}
              {...{ url, n, isReadOnly }}
              isLast={n === value.length - 1}
              error={errors.get(`${pointer}/${n}`)}
              swap={(other) => swap(n, other)}
              remove={() => put(value.filter((_, at) => at !== n))}
            />
          ))}
        </ol>
      )}
      {value.length === 0 && isReadOnly && (
        <Text size="sm" c="dimmed">
          {text.noPictures}
        </Text>
      )}
      {!isReadOnly && <PictureDrop add={(url) => append([url])} />}
      {!isReadOnly && <AddPicture value={value} add={append} error={errors.get(pointer)} />}
    </Stack>
  )
}

function Address({ url }: { url: string }) {
  const kept = attachmentAt(url)
  if (kept !== undefined)
    return (
      <Text size="sm" className="cut" component="div">
        <RecordName many="attachments" id={kept} />
      </Text>
    )
  return <ForeignAddress url={url} />
}

function ForeignAddress({ url }: { url: string }) {
  const href = hrefOf(url)
  const shown = url.startsWith('data:') ? `${url.slice(0, 40)}…` : url
  if (href === undefined)
    return (
      <Text size="sm" className="cut">
        <bdi>{shown}</bdi>
      </Text>
    )
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" fz="sm" className={classes.address} title={url}>
      <bdi>{shown}</bdi>
    </Anchor>
  )
}

function Action({
  label,
  isOff = false,
  run,
  children,
}: {
  label: string
  isOff?: boolean
  run: () => void
  children: ReactNode
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={run} disabled={isOff}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** An address as browsers take it: a host without a scheme is one of the web, not a path of this server. */
const completed = (url: string): string => (/^([a-z][a-z\d+.-]*:(?!\d)|\/)/i.test(url) ? url : `https://${url}`)

interface AddPictureProps {
  readonly value: readonly string[]
  readonly add: (urls: readonly string[]) => void
  readonly error: string | undefined
}

function AddPicture({ value, add: put, error }: AddPictureProps) {
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)

  /** Several lines are several pictures. */
  function add() {
    const urls = typed
      .split(/\s+/)
      .filter((url) => url !== '')
      .map(completed)
      .filter((url, n, all) => !value.includes(url) && all.indexOf(url) === n)
    if (urls.length > 0) put(urls)
    setTyped('')
  }

  /** The next address is typed where the last one was, and the first one too. */
  function press() {
    add()
    input.current?.focus()
  }

  function typing(event: KeyboardEvent) {
    // Enter adds the picture and does not submit the form.
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }

  return (
    <Group gap="xs" align="flex-start" wrap="nowrap" className="screen-only">
      <TextInput
        ref={input}
        flex={1}
        aria-label={text.pictureUrl}
        placeholder={text.picturePlaceholder}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={typing}
        onBlur={add}
        error={error}
        autoComplete="off"
      />
      <Button variant="default" onClick={press}>
        {text.addPicture}
      </Button>
    </Group>
  )
}

interface OnePictureProps {
  readonly url: string
  /** Its position, from 0. */
  readonly n: number
  readonly isLast: boolean
  readonly isReadOnly: boolean
  readonly error: string | undefined
  readonly swap: (other: number) => void
  readonly remove: () => void
}

function OnePicture({ url, n, isLast, isReadOnly, error, swap, remove }: OnePictureProps) {
  return (
    <li>
      <Picture url={url} size={64} alt={text.nthPicture(n + 1)} />
      <div className={classes.what}>
        <Address url={url} />
        <Text size="xs" c="dimmed" className="cut">
          {[n === 0 && text.firstPicture, !isShowable(url) && text.otherHost].filter(Boolean).join(' · ')}
        </Text>
        {error !== undefined && <Input.Error>{error}</Input.Error>}
      </div>
      {!isReadOnly && (
        <Group gap={2} wrap="nowrap">
          <Action label={text.pictureUp(n + 1)} isOff={n === 0} run={() => swap(n - 1)}>
            <IconArrowUp size={16} />
          </Action>
          <Action label={text.pictureDown(n + 1)} isOff={isLast} run={() => swap(n + 1)}>
            <IconArrowDown size={16} />
          </Action>
          <Action label={text.pictureRemove(n + 1)} run={remove}>
            <IconTrash size={16} />
          </Action>
        </Group>
      )}
    </li>
  )
}
