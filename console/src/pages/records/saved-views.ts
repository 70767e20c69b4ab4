// Saved views of a list: its search, filters, sort and columns under a name, which the browser stores for each company.
import { useLocalStorage } from '@mantine/hooks'
import { useScope } from '../../api/company.ts'
import type { Widths } from './columns.ts'
import { currentFilters, type ListState } from './list-state.ts'

interface SavedView {
  readonly name: string
  readonly state: ListState
  readonly columns: readonly string[]
  /** Views from before widths were kept have none. */
  readonly widths?: Widths
}

/** The views of a list in the order of their names, and how they change. A view replaces one of the same name. */
export function useSavedViews(many: string) {
  const { companyId } = useScope()
  const [stored, setViews] = useLocalStorage<readonly SavedView[]>({
    key: `cashwrap-views-${companyId}-${many}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const views = stored.map(({ state, ...view }) => ({
    ...view,
    state: state.f === undefined ? state : { ...state, f: currentFilters(state.f) },
  }))
  const without = (name: string) => views.filter((view) => view.name !== name)
  return {
    views,
    save: (view: SavedView) =>
      setViews([...without(view.name), view].toSorted((one, other) => one.name.localeCompare(other.name))),
    remove: (name: string) => setViews(without(name)),
  }
}

/** Whether a view shows what the list shows. */
export const isShown = (view: SavedView, state: ListState, columns: readonly string[]): boolean =>
  fingerprint(view.state) === fingerprint(state) && view.columns.join() === columns.join()

const fingerprint = ({ f = {}, ...state }: ListState): string =>
  JSON.stringify([Object.entries(state).sort(), Object.entries(f).sort()])
