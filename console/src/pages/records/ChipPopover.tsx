// A filter once it was opened: its editor drops down from it.
import { Popover } from '@mantine/core'
import { ChipButton, type ChipProps, RemoveButton } from './FilterButtons.tsx'
import { FilterEditor } from './FilterEditor.tsx'
import classes from './Filters.module.css'

export function ChipPopover({ kind, own, isOpen, setOpen, close, change, remove }: ChipProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={(willOpen) => !willOpen && close()}
      position="bottom-start"
      shadow="md"
      width={280}
      trapFocus
      withinPortal
    >
      <div className={classes.chip}>
        <Popover.Target>
          <ChipButton kind={kind} own={own} onClick={() => setOpen(!isOpen)} />
        </Popover.Target>
        <RemoveButton name={kind.name} remove={remove} />
      </div>
      <Popover.Dropdown>
        <FilterEditor kind={kind} values={own} onChange={change} done={close} />
      </Popover.Dropdown>
    </Popover>
  )
}
