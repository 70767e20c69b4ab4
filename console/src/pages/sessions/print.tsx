// Prints a page on A4 or on the 80 mm roll of a receipt printer.
import { Button, Menu } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { text } from '../../texts/sessions.ts'

export type Paper = 'a4' | 'roll'

const pages: Readonly<Record<Paper, string>> = {
  a4: '@page { size: A4; margin: 18mm }',
  // The usual form of the drivers of receipt printers; a longer report takes another page.
  roll: '@page { size: 80mm 297mm; margin: 4mm }',
}

/** The paper that was chosen last, and the button that prints on it. */
export function usePrint() {
  const [paper, setPaper] = useState<Paper>('a4')
  const print = (on: Paper) => {
    flushSync(() => setPaper(on))
    window.print()
  }
  const button = (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconPrinter size={16} />}>
          {text.print}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => print('roll')}>{text.printRoll}</Menu.Item>
        <Menu.Item onClick={() => print('a4')}>{text.printA4}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
  return { paper, button, style: <style>{pages[paper]}</style> }
}
