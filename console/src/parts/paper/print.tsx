// Prints a page on A4 or on the 80 mm roll of a receipt printer: the choice, which the browser remembers, and its button.
import { Button, Menu } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { text } from '../../texts/paper.ts'

export type PaperKind = 'a4' | 'roll'

/** What `Paper` needs to know of each. */
export const pages: Readonly<Record<PaperKind, string>> = {
  a4: 'size: A4; margin: 18mm',
  // The usual form of the drivers of receipt printers; what is longer takes another page.
  roll: 'size: 80mm 297mm; margin: 4mm',
}

const kept = 'cashwrap-paper'

/** The paper that this browser printed on last, and a function that prints on one. */
export function usePrint() {
  const [paper, setPaper] = useState<PaperKind>(() => (localStorage.getItem(kept) === 'roll' ? 'roll' : 'a4'))
  const print = (on: PaperKind) => {
    localStorage.setItem(kept, on)
    flushSync(() => setPaper(on))
    window.print()
  }
  return { paper, print }
}

interface PrintButtonProps {
  readonly print: (on: PaperKind) => void
  readonly label?: string
  /** Whether the paper is loaded. */
  readonly isReady?: boolean
}

export function PrintButton({ print, label = text.print, isReady = true }: PrintButtonProps) {
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" disabled={!isReady} leftSection={<IconPrinter size={16} />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => print('roll')}>{text.roll}</Menu.Item>
        <Menu.Item onClick={() => print('a4')}>{text.a4}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
