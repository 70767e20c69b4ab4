// The reason that the history shows with the counts of a save.
import { TextInput } from '@mantine/core'
import classes from '../../parts/sheet/SheetPage.module.css'
import { text } from '../../texts/stock.ts'

export const Reason = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <TextInput
    className={classes.reason}
    placeholder={text.reason}
    aria-label={text.reason}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    maxLength={500}
    autoComplete="off"
  />
)
