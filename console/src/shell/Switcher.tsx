// The open company or organization; pressed, the menu to switch to another one.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { companyQuery } from '../api/company.ts'
import { useSignIn } from '../api/sign-in.ts'
import { useLater } from '../parts/use-later.ts'
import { text } from '../texts/shell.ts'
import { Mark } from './Mark.tsx'
import { MenuButton } from './MenuButton.tsx'

const load = () => import('./CompanyChoices.tsx')

export function Switcher() {
  const { companyId, organizationId } = useParams({ strict: false })
  const { companies, organizations } = useSignIn()
  const [choices, want] = useLater(load)
  const { data: company } = useQuery({ ...companyQuery(companyId ?? ''), enabled: companyId !== undefined })
  const organization = organizations.find(({ id }) => id === organizationId)
  // A suspended company cannot be read by its own members.
  const own = companies.find(({ id }) => id === companyId)
  const name = company?.name ?? own?.name ?? organization?.name ?? text.product
  const face = {
    mark: <Mark name={name} isOrganization={organization !== undefined} />,
    of: text.companySwitcher,
    name,
  }
  if (choices === undefined)
    return <MenuButton {...face} aria-haspopup="listbox" aria-expanded={false} onClick={want} />
  return <choices.CompanyChoices face={face} />
}
