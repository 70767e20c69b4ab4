// A record's pictures as URLs, in order: the first is the main one. Those on other hosts are links.
import { ActionIcon, Anchor, Button, Group, Input, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { text } from '../texts/catalog.ts'
import { hrefOf, isShowable, Picture } from './Picture.tsx'
import classes from './PicturesInput.module.css'

interface PicturesInputProps {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (value: string[] | undefined) => void
  readonly pointer: string
  readonly errors: ReadonlyMap<string, string>
  readonly isReadOnly: boolean
}

export function PicturesInput({ label, value, onChange, pointer, errors, isReadOnly }: PicturesInputProps) {
  const [typed, setTyped] = useState('')
  const put = (urls: string[]) => onChange(urls.length === 0 ? undefined : urls)

  /** Several lines are several pictures. */
  function add() {
    const urls = typed
      .split(/\s+/)
      .filter((url) => url !== '')
      .filter((url, n, all) => !value.includes(url) && all.indexOf(url) === n)
    if (urls.length > 0) put([...value, ...urls])
    setTyped('')
  }

  function swap(n: number, other: number) {
    const next = [...value]
    ;[next[n], next[other]] = [next[other] as string, next[n] as string]
    put(next)
  }

  function typing(event: KeyboardEvent) {
    // Enter adds the picture and does not submit the form.
    if (event.key !== 'Enter') return
    event.preventDefault()
    add()
  }

  return (
    <Stack gap="xs" role="group" aria-label={label}>
      {value.length > 0 && (
        <ol className={classes.list}>
          {value.map((url, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a URL may occur twice.
            <li key={`${n} ${url}`}>
              <Picture url={url} size={48} />
              <div className={classes.what}>
                <Address url={url} />
                <Text size="xs" c="dimmed" className="cut">
                  {[n === 0 && text.firstPicture, !isShowable(url) && text.otherHost].filter(Boolean).join(' · ')}
                </Text>
                {errors.has(`${pointer}/${n}`) && <Input.Error>{errors.get(`${pointer}/${n}`)}</Input.Error>}
              </div>
              {!isReadOnly && (
                <Group gap={2} wrap="nowrap">
                  <Action label={text.pictureUp(n + 1)} isOff={n === 0} run={() => swap(n, n - 1)}>
                    <IconArrowUp size={16} />
                  </Action>
                  <Action label={text.pictureDown(n + 1)} isOff={n === value.length - 1} run={() => swap(n, n + 1)}>
                    <IconArrowDown size={16} />
                  </Action>
                  <Action label={text.pictureRemove(n + 1)} run={() => put(value.filter((_, at) => at !== n))}>
                    <IconTrash size={16} />
                  </Action>
                </Group>
              )}
            </li>
          ))}
        </ol>
      )}
      {value.length === 0 && isReadOnly && (
        <Text size="sm" c="dimmed">
          {text.noPictures}
        </Text>
      )}
      {!isReadOnly && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={text.pictureUrl}
            placeholder={text.picturePlaceholder}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={typing}
            onBlur={add}
            error={errors.get(pointer)}
            autoComplete="off"
          />
          <Button variant="default" onClick={add} disabled={typed.trim() === ''}>
            {text.addPicture}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Address({ url }: { url: string }) {
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
