// The saved views of a list: their button, and once it was pressed, their menu.
import { useLater } from '../../parts/use-later.ts'
import { useListState } from './list-state.ts'
import { isShown, useSavedViews } from './saved-views.ts'
import { ViewButton } from './ViewButton.tsx'
import type { ViewMenuProps } from './ViewMenu.tsx'

const load = () => import('./ViewMenu.tsx')

export function Views(props: ViewMenuProps) {
  const [state] = useListState()
  const { views } = useSavedViews(props.many)
  const [menu, want] = useLater(load)
  if (menu !== undefined) return <menu.ViewMenu {...props} />
  const isView = views.some((view) => isShown(view, state, props.columns))
  return <ViewButton isView={isView} aria-haspopup="menu" aria-expanded={false} onClick={want} />
}
