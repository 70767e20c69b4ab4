// Reads a barcode with the camera, in browsers that can; in others there is no button.
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { text } from '../../texts/scan.ts'
import { useLater } from '../use-later.ts'
import { canScan } from './detector.ts'

const loadScanner = () => import('./Scanner.tsx')

export function ScanButton({ onScan }: { onScan: (code: string) => void }) {
  const isAble = useCanScan()
  const [isOpen, setOpen] = useState(false)
  const [scanner, want] = useLater(loadScanner)
  if (!isAble) return null
  return (
    <>
      <Tooltip label={text.scan}>
        <ActionIcon
          aria-label={text.scan}
          onClick={() => {
            want()
            setOpen(true)
          }}
        >
          <IconScan size={17} />
        </ActionIcon>
      </Tooltip>
      {scanner && isOpen && (
        <scanner.Scanner
          close={() => setOpen(false)}
          onScan={(code) => {
            setOpen(false)
            onScan(code)
          }}
        />
      )}
    </>
  )
}

/** False until the browser has said which codes it knows. */
function useCanScan(): boolean {
  const [isAble, setAble] = useState(false)
  useEffect(() => {
    let isHere = true
    void canScan().then((is) => isHere && setAble(is))
    return () => {
      isHere = false
    }
  }, [])
  return isAble
}
