// What the search offers besides records: the pages that the user may read, and actions.
import { useMantineColorScheme } from '@mantine/core'
import { type Icon, IconDownload, IconLogout, IconMoon, IconPlus, IconUserCircle } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { text } from '../texts/search.ts'
import { text as shell } from '../texts/shell.ts'
import { useRights, useSections } from './navigation-items.ts'
import { useSignOut } from './sign-out.ts'

/** An entry of the search. */
export interface Entry {
  readonly key: string
  readonly label: string
  /** The second line: what distinguishes a record from others of the same name. */
  readonly detail?: string
  /** What kind of record it is. */
  readonly kind?: string
  readonly isRecord?: boolean
  readonly icon: Icon
  readonly run: () => void
}

const creatable = ['customers', 'products', 'orders', 'outlets'] as const
const exportable = ['customers', 'products', 'orders'] as const

/** All pages and actions that are open to the user. */
export function useCommands(): { readonly pages: readonly Entry[]; readonly actions: readonly Entry[] } {
  const { companyId } = useParams({ strict: false })
  const navigate = useNavigate()
  const { canWrite } = useRights()
  const places = useSections().flatMap((section) => section.places)
  const { toggleColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const go = (to: string) => () => void navigate({ to })
  const profile = { label: shell.pages.user, to: '/user', icon: IconUserCircle }
  const pages = [...places.filter(({ to }) => to !== profile.to), { ...profile, isOutside: false }].map(
    ({ label, to, icon, isOutside }) => ({
      key: to,
      label,
      icon,
      run: isOutside ? () => void window.open(to, '_blank', 'noreferrer') : go(to),
    }),
  )
  const making = creatable.map((many) => ({
    key: `new ${many}`,
    label: text.new[many],
    icon: IconPlus,
    run: go(`/c/${companyId}/${many}/new`),
  }))
  const exporting = exportable.map((many) => ({
    key: `export ${many}`,
    label: text.export[many],
    icon: IconDownload,
    run: go(`/c/${companyId}/${many}`),
  }))
  const actions = [
    ...(companyId === undefined || !canWrite ? [] : making),
    ...(companyId === undefined ? [] : exporting),
    { key: 'theme', label: text.theme, icon: IconMoon, run: toggleColorScheme },
    { key: 'sign out', label: shell.signOut, icon: IconLogout, run: () => void signOut() },
  ]
  return { pages, actions }
}
