// A zone that takes one file, dropped on it or chosen in the system's dialog, and the progress of its upload.
import { Alert, Button, Group, Progress, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconFile, IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { text } from '../texts/files.ts'
import classes from './FileDrop.module.css'
import { bytes } from './format.ts'
import type { Upload } from './use-upload.ts'

interface FileDropProps {
  readonly upload: Upload
  readonly cancel: () => void
  readonly take: (file: File) => void
  /** Content types and name endings that the system's dialog offers; any by default. */
  readonly accept?: string
  /** What to drop, such as “Drop a file here”. */
  readonly invitation: string
  readonly hint: string
  /** The title above the reason of a file that the server refuses each time it is sent. */
  readonly refused: string
  /** Shown in place of the invitation, with what opens the system's dialog: the file that there is. */
  readonly children?: (choose: () => void) => ReactNode
}

export function FileDrop(props: FileDropProps) {
  const { upload, cancel, take, accept, invitation, hint, refused, children } = props
  const [isOver, setOver] = useState(false)
  /** Files that were dropped besides the first one. */
  const [many, setMany] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const choose = () => input.current?.click()

  /** One at a time: of several, which one was meant is unknown. */
  const takeOne = (files: FileList | null) => {
    const [file, ...others] = files ?? []
    setMany(others.length)
    if (file && others.length === 0) take(file)
  }

  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard. */}
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        data-filled={(children !== undefined && upload.state !== 'sending') || undefined}
        onDragOver={over}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node)) setOver(false)
        }}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          takeOne(event.dataTransfer.files)
        }}
      >
        {upload.state === 'sending' ? (
          <Uploading upload={upload} cancel={cancel} />
        ) : (
          (children?.(choose) ?? (
            <Invitation {...{ isOver, invitation, hint }}>
              <Button onClick={choose}>{upload.state === 'refused' ? text.another : text.choose}</Button>
            </Invitation>
          ))
        )}
        <input
          ref={input}
          type="file"
          {...(accept && { accept })}
          aria-label={text.choose}
          tabIndex={-1}
          hidden
          onChange={(event) => {
            takeOne(event.currentTarget.files)
            // Lets the same file be chosen again after it was corrected.
            event.currentTarget.value = ''
          }}
        />
      </div>
      {many > 0 && <Several count={many + 1} />}
      {many === 0 && upload.state === 'refused' && (
        <Refused upload={upload} title={upload.isWrongFile ? refused : text.refused} />
      )}
    </>
  )
}

interface InvitationProps extends Pick<FileDropProps, 'invitation' | 'hint'> {
  readonly isOver: boolean
  readonly children: ReactNode
}

function Invitation({ isOver, invitation, hint, children }: InvitationProps) {
  return (
    <>
      <ThemeIcon size={44} radius="lg" variant="light" color="gray">
        {isOver ? <IconFile size={22} stroke={1.6} /> : <IconUpload size={22} stroke={1.6} />}
      </ThemeIcon>
      <Text fw={500}>{isOver ? text.dropNow : invitation}</Text>
      {children}
      <Text size="xs" c="dimmed" maw={460} ta="center">
        {hint}
      </Text>
    </>
  )
}

const Several = ({ count }: { readonly count: number }) => (
  <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title={text.several(count)} m="md" mt={0}>
    {text.oneAtATime}
  </Alert>
)

function Uploading({ upload, cancel }: { upload: Extract<Upload, { state: 'sending' }>; cancel: () => void }) {
  return (
    <Stack gap="xs" w="100%" maw={420} ta="center" aria-live="polite">
      <Text size="sm" fw={500} className="name">
        {text.sending(upload.name)}
      </Text>
      <Progress value={upload.share * 100} aria-label={text.progress} animated={upload.share === 1} />
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {text.of(bytes(upload.bytes * upload.share), bytes(upload.bytes))}
        </Text>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
          {text.cancel}
        </Button>
      </Group>
    </Stack>
  )
}

function Refused({ upload, title }: { upload: Extract<Upload, { state: 'refused' }>; title: string }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title={title} m="md" mt={0}>
      {!upload.reason.startsWith(upload.name) && (
        <Text size="sm" fw={500} className="name">
          {upload.name}
        </Text>
      )}
      <Text size="sm" className="name">
        {upload.reason}
      </Text>
    </Alert>
  )
}
