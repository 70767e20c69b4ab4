// Counts the active cell up and down by thumb, on screens that are too small for typing in a grid.
import { Button, UnstyledButton } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { text } from '../../texts/sheet.ts'
import { shownIn } from './format.ts'
import classes from './SheetPage.module.css'
import type { Sheet } from './sheet.ts'

export function Stepper({ sheet }: { sheet: Sheet }) {
  const { active } = sheet
  const format = sheet.formatAt(active)
  const label = sheet.labelAt(active)
  if (format === undefined || label === '') return null
  const value = sheet.valueAt(active)
  const step = (by: number) => () => {
    if (sheet.editing === undefined) sheet.put([{ place: active, value: (value ?? 0) + by }])
    else sheet.commit(by)
  }
  return (
    <div className={classes.stepper}>
      <Button variant="default" size="md" aria-label={text.oneLess(label)} onClick={step(-1)}>
        <IconMinus size={20} />
      </Button>
      <UnstyledButton
        className={classes.count}
        aria-label={text.typeInto(label, shownIn(format, value))}
        onClick={() => sheet.begin()}
      >
        {shownIn(format, value)}
      </UnstyledButton>
      <Button variant="default" size="md" aria-label={text.oneMore(label)} onClick={step(1)}>
        <IconPlus size={20} />
      </Button>
    </div>
  )
}
