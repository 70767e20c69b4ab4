// Opens the command palette, and shows its shortcut.
import { Kbd, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keyNames } from '../parts/key-names.ts'
import { text } from '../texts/shell.ts'
import classes from './SearchButton.module.css'

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <UnstyledButton className={classes.button} onClick={onClick}>
      <IconSearch size={15} stroke={1.8} aria-hidden />
      <span className={classes.label}>{text.search}</span>
      <Kbd size="xs" visibleFrom="md">
        {keyNames.search}
      </Kbd>
    </UnstyledButton>
  )
}
