// The camera's picture while a barcode is looked for in it.
import { Button, Modal, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { text } from '../../texts/scan.ts'
import { text as shell } from '../../texts/shell.ts'
import { makeDetector } from './detector.ts'
import classes from './Scanner.module.css'

interface ScannerProps {
  readonly onScan: (code: string) => void
  readonly close: () => void
}

export function Scanner({ onScan, close }: ScannerProps) {
  return (
    <Modal opened onClose={close} title={text.scan} size="md" padding="md">
      <Camera onScan={onScan} />
      <Button variant="default" fullWidth mt="md" size="md" onClick={close}>
        {shell.cancel}
      </Button>
    </Modal>
  )
}

/** Milliseconds between two looks: a code is found at once, and the phone stays cool. */
const PAUSE = 150

function Camera({ onScan }: Pick<ScannerProps, 'onScan'>) {
  const video = useRef<HTMLVideoElement>(null)
  const [failure, setFailure] = useState<string>()
  const found = useEffectEvent(onScan)

  useEffect(() => {
    const ending = new AbortController()
    void look(video.current, ending.signal, found).catch((error: unknown) => {
      if (!ending.signal.aborted)
        setFailure(error instanceof Error && error.name === 'NotAllowedError' ? text.denied : text.noCamera)
    })
    return () => ending.abort()
  }, [])

  if (failure !== undefined)
    return (
      <Text size="sm" role="alert">
        {failure}
      </Text>
    )
  return (
    <>
      <div className={classes.picture}>
        <video ref={video} muted playsInline aria-label={text.camera} />
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        {text.hint}
      </Text>
    </>
  )
}

/** Looks for a code until one is found or the signal ends it, and switches the camera off again. */
async function look(video: HTMLVideoElement | null, signal: AbortSignal, found: (code: string) => void): Promise<void> {
  const detector = await makeDetector()
  if (detector === undefined || video === null) throw new Error('There is no camera.')
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
  try {
    if (signal.aborted) return
    video.srcObject = stream
    await video.play()
    while (!signal.aborted) {
      const [code] = await detector.detect(video)
      if (signal.aborted) return
      if (code !== undefined && code.rawValue.trim() !== '') return found(code.rawValue.trim())
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}
