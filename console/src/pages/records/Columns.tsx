// The columns of a list: their button, and once it was pressed, their choice.
import { useLater } from '../../parts/use-later.ts'
import { ColumnButton } from './ColumnButton.tsx'
import type { ColumnMenuProps } from './ColumnMenu.tsx'

const load = () => import('./ColumnMenu.tsx')

export function Columns(props: ColumnMenuProps) {
  const [menu, want] = useLater(load)
  if (menu === undefined) return <ColumnButton aria-haspopup="dialog" aria-expanded={false} onClick={want} />
  return <menu.ColumnMenu {...props} />
}
