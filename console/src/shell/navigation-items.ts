// The pages that the navigation and the command palette list, for the open company or organization.
import {
  type Icon,
  IconActivity,
  IconArrowBackUp,
  IconBolt,
  IconBook,
  IconBuilding,
  IconBuildingStore,
  IconCash,
  IconCashBanknote,
  IconCategory,
  IconChartHistogram,
  IconClockHour4,
  IconCoins,
  IconDatabase,
  IconDeviceDesktop,
  IconFile,
  IconHelp,
  IconId,
  IconKey,
  IconLock,
  IconPackage,
  IconPuzzle,
  IconReceipt2,
  IconReceiptTax,
  IconReportAnalytics,
  IconShieldLock,
  IconStack2,
  IconTable,
  IconTag,
  IconTags,
  IconUpload,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { companyQuery, roleIn } from '../api/company.ts'
import { type Resource, resourcesQuery } from '../api/resources.ts'
import { type CompanyRole, useSignIn } from '../api/sign-in.ts'
import { text } from '../texts/shell.ts'

export interface NavigationItem {
  readonly label: string
  readonly to: string
  readonly icon: Icon
  /** Matches only this exact address, not those below it. */
  readonly isExact?: boolean
  /** Leaves the console. */
  readonly isOutside?: boolean
  /** Viewers may not read it. */
  readonly isForAdmins?: boolean
}

export interface Section {
  readonly title?: string
  /** Whether it is folded at first; without this it cannot be folded. */
  readonly isFolded?: boolean
  readonly places: readonly NavigationItem[]
}

const { pages, sections } = text

/** Resources without an entry of their own: their records appear on the pages of others. */
const elsewhere = ['variants', 'inventories', 'catalog-visibilities', 'automation-triggers']

/** Sections that are open at first: all others fold, so that each of them is in view at 800 pixels. */
const opened: readonly string[] = [sections.sell, sections.catalogue]

/** The pages of a company. A resource that no section names is listed under Data. */
function companySections(companyId: string, resources: readonly Resource[]): readonly Section[] {
  const at = (path: string) => `/c/${companyId}${path}`
  const named = namedSections(at).map(
    (section): Section =>
      section.title === undefined ? section : { ...section, isFolded: !opened.includes(section.title) },
  )
  const isNamed = ({ many }: Resource) =>
    elsewhere.includes(many) || named.some(({ places }) => places.some(({ to }) => to === at(`/${many}`)))
  const others = resources
    .filter((resource) => !isNamed(resource))
    .map(({ many, title }) => ({ label: title, to: at(`/${many}`), icon: IconDatabase }))
  return named.map((section) =>
    section.title === sections.data ? { ...section, places: [...section.places, ...others] } : section,
  )
}

function namedSections(at: (path: string) => string): readonly Section[] {
  return [
    {
      places: [
        { label: text.overview, to: at(''), icon: IconChartHistogram, isExact: true },
        { label: pages.reports, to: at('/reports'), icon: IconReportAnalytics },
      ],
    },
    {
      title: sections.sell,
      places: [
        { label: pages.orders, to: at('/orders'), icon: IconReceipt2 },
        { label: pages.transactions, to: at('/transactions'), icon: IconCash },
        { label: pages.refunds, to: at('/refunds'), icon: IconArrowBackUp },
        { label: pages.customers, to: at('/customers'), icon: IconUsers },
      ],
    },
    {
      title: sections.catalogue,
      places: [
        { label: pages.products, to: at('/products'), icon: IconTag },
        { label: pages.categories, to: at('/categories'), icon: IconCategory },
        { label: pages.stock, to: at('/stock'), icon: IconStack2 },
        { label: pages.prices, to: at('/prices'), icon: IconCoins },
        { label: pages.labels, to: at('/labels'), icon: IconTags },
        { label: pages.taxTables, to: at('/tax-tables'), icon: IconReceiptTax },
        { label: pages.imports, to: at('/imports'), icon: IconUpload },
      ],
    },
    {
      title: sections.shop,
      places: [
        { label: pages.outlets, to: at('/outlets'), icon: IconBuildingStore },
        { label: pages.stations, to: at('/stations'), icon: IconDeviceDesktop },
        { label: pages.sessions, to: at('/sessions'), icon: IconClockHour4 },
        { label: pages.closings, to: at('/closings'), icon: IconLock },
        { label: pages.cashMovements, to: at('/cash-movements'), icon: IconCashBanknote },
        { label: pages.accounts, to: at('/accounts'), icon: IconId },
        { label: pages.roles, to: at('/roles'), icon: IconShieldLock },
      ],
    },
    {
      title: sections.data,
      places: [
        { label: pages.tables, to: at('/tables'), icon: IconTable },
        { label: pages.attachments, to: at('/attachments'), icon: IconFile },
      ],
    },
    {
      title: sections.developers,
      places: [
        { label: pages.keys, to: at('/settings/keys'), icon: IconKey, isForAdmins: true },
        { label: pages.triggers, to: at('/automation'), icon: IconBolt },
        { label: pages.events, to: at('/events'), icon: IconActivity },
        { label: pages.guides, to: at('/guides'), icon: IconHelp },
        { label: pages.reference, to: '/docs', icon: IconBook, isOutside: true },
      ],
    },
    {
      title: sections.settings,
      places: [
        { label: pages.members, to: at('/settings/members'), icon: IconUsersGroup, isForAdmins: true },
        { label: pages.company, to: at('/settings/company'), icon: IconBuilding },
      ],
    },
  ]
}

/** The pages of an organization. */
function organizationSections(organizationId: string): readonly Section[] {
  const at = (path: string) => `/o/${organizationId}${path}`
  return [
    {
      title: text.organization,
      places: [
        { label: pages.companies, to: at(''), icon: IconBuildingStore, isExact: true },
        { label: pages.plans, to: at('/plans'), icon: IconPackage },
        { label: pages.extensions, to: at('/extensions'), icon: IconPuzzle },
      ],
    },
    {
      title: sections.settings,
      places: [
        { label: pages.keys, to: at('/keys'), icon: IconKey, isForAdmins: true },
        { label: pages.members, to: at('/members'), icon: IconUsersGroup, isForAdmins: true },
        { label: pages.reference, to: '/docs', icon: IconBook, isOutside: true },
      ],
    },
  ]
}

/** What the user may do in the open company or organization: the least until the role is known. */
export function useRights(): { readonly role: CompanyRole; readonly canWrite: boolean } {
  const { companyId, organizationId } = useParams({ strict: false })
  const signIn = useSignIn()
  const { data: company } = useQuery({ ...companyQuery(companyId ?? ''), enabled: companyId !== undefined })
  const role = roleIn(signIn, { id: companyId, organizationId: company?.organizationId ?? organizationId })
  return { role, canWrite: role !== 'viewer' && company?.status !== 'suspended' }
}

/** The pages that the user may read. */
export function useSections(): readonly Section[] {
  const { role } = useRights()
  const isOpen = ({ isForAdmins }: NavigationItem) => !isForAdmins || role !== 'viewer'
  return useAllSections().map((section) => ({ ...section, places: section.places.filter(isOpen) }))
}

function useAllSections(): readonly Section[] {
  const { companyId, organizationId } = useParams({ strict: false })
  const { data: resources = [] } = useQuery({
    ...resourcesQuery(companyId ?? ''),
    enabled: companyId !== undefined,
  })
  if (companyId !== undefined) return companySections(companyId, resources)
  if (organizationId !== undefined) return organizationSections(organizationId)
  return [{ places: [{ label: pages.user, to: '/user', icon: IconUserCircle }] }]
}
