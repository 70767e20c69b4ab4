// A zone that takes pictures, dropped on it or chosen in the system's dialog, and sends them one after another.
import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { IconPhotoPlus } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useScope } from '../api/company.ts'
import { sendPicture } from '../api/picture-files.ts'
import { asProblem } from '../api/problem.ts'
import { text } from '../texts/catalog.ts'
import classes from './PicturesInput.module.css'
import { useReportSending } from './uploads.ts'

/** Bytes of a picture that is read at all: far more than any camera makes. */
const mostBytes = 50 * 1024 * 1024

interface PictureDropProps {
  /** Called with the address of each picture that was sent. */
  readonly add: (url: string) => void
}

export function PictureDrop({ add }: PictureDropProps) {
  const { left, refused, take } = useSending(add)
  useReportSending(left > 0)
  const [isOver, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard. */}
      <div
        className={`${classes.drop} screen-only`}
        data-over={isOver || undefined}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take([...event.dataTransfer.files])
        }}
      >
        <Group gap="sm" justify="center">
          {left > 0 ? <Loader size={18} /> : <IconPhotoPlus size={20} stroke={1.6} aria-hidden />}
          <Text size="sm" role="status">
            {left > 0 ? text.sendingPictures(left) : text.dropPictures}
          </Text>
          <Button variant="default" size="xs" onClick={() => input.current?.click()}>
            {text.choosePictures}
          </Button>
        </Group>
        <input
          ref={input}
          type="file"
          accept="image/*"
          multiple
          hidden
          tabIndex={-1}
          aria-label={text.choosePictures}
          onChange={(event) => {
            take([...(event.currentTarget.files ?? [])])
            // Lets the same file be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </div>
      {refused.length > 0 && (
        <Alert color="red" role="alert" title={text.picturesRefused}>
          {refused.map((line) => (
            <Text size="sm" key={line} className="name">
              {line}
            </Text>
          ))}
        </Alert>
      )}
    </>
  )
}

/** Sends pictures in their order; those that cannot be sent are named with the reason. */
function useSending(add: (url: string) => void) {
  const scope = useScope()
  const [left, setLeft] = useState(0)
  const [refused, setRefused] = useState<readonly string[]>([])
  const stopping = useRef(new AbortController())
  const last = useRef<Promise<void>>(Promise.resolve())
  const put = useRef(add)
  put.current = add
  useEffect(() => {
    stopping.current = new AbortController()
    const { current } = stopping
    return () => current.abort()
  }, [])

  async function one(file: File): Promise<void> {
    const { signal } = stopping.current
    try {
      if (signal.aborted) return
      if (file.size > mostBytes) throw new Error(text.pictureTooLarge)
      put.current(await sendPicture(scope, file, signal))
    } catch (error) {
      const isUnread = error instanceof DOMException
      if (!signal.aborted)
        setRefused((lines) => [...lines, `${file.name}: ${isUnread ? text.notAPicture : asProblem(error).message}`])
    } finally {
      setLeft((count) => count - 1)
    }
  }

  function take(files: readonly File[]) {
    setRefused([])
    setLeft((count) => count + files.length)
    for (const file of files) last.current = last.current.then(() => one(file))
  }

  return { left, refused, take }
}
