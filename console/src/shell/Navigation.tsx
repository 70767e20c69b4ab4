// The list of pages of the open company or organization.
import {
  type Icon,
  IconActivity,
  IconArmchair,
  IconArrowBackUp,
  IconBolt,
  IconBook,
  IconBuilding,
  IconBuildingStore,
  IconCash,
  IconCategory,
  IconChartHistogram,
  IconClockHour4,
  IconDatabase,
  IconDeviceDesktop,
  IconFile,
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
  IconUpload,
  IconUsers,
  IconUsersGroup,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { type Resource, resourcesQuery } from '../api/resources.ts'
import { text } from '../texts/shell.ts'
import classes from './Navigation.module.css'

interface Place {
  readonly label: string
  readonly to: string
  readonly icon: Icon
  /** Matches only this exact address, not those below it. */
  readonly isExact?: boolean
  /** Leaves the console. */
  readonly isOutside?: boolean
}

interface Section {
  readonly title?: string
  readonly places: readonly Place[]
}

const { pages, sections } = text

/** Resources without an entry of their own: their records appear on the pages of others. */
const elsewhere = ['variants', 'inventories', 'catalog-visibilities', 'automation-triggers']

/** The pages of a company. A resource that no section names is listed under Data. */
function companySections(companyId: string, resources: readonly Resource[]): readonly Section[] {
  const at = (path: string) => `/c/${companyId}${path}`
  const named = namedSections(at)
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
        { label: pages.keys, to: at('/settings/keys'), icon: IconKey },
        { label: pages.triggers, to: at('/automation'), icon: IconBolt },
        { label: pages.events, to: at('/events'), icon: IconActivity },
        { label: pages.reference, to: '/docs', icon: IconBook, isOutside: true },
      ],
    },
    {
      title: sections.settings,
      places: [
        { label: pages.members, to: at('/settings/members'), icon: IconUsersGroup },
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
        { label: pages.keys, to: at('/keys'), icon: IconKey },
        { label: pages.members, to: at('/members'), icon: IconUsersGroup },
        { label: pages.reference, to: '/docs', icon: IconBook, isOutside: true },
      ],
    },
  ]
}

export function useSections(): readonly Section[] {
  const { companyId, organizationId } = useParams({ strict: false })
  const { data: resources = [] } = useQuery({
    ...resourcesQuery(companyId ?? ''),
    enabled: companyId !== undefined,
  })
  if (companyId !== undefined) return companySections(companyId, resources)
  if (organizationId !== undefined) return organizationSections(organizationId)
  return [{ places: [{ label: pages.user, to: '/user', icon: IconArmchair }] }]
}

export function Navigation() {
  const { pathname } = useLocation()
  const nav = useRef<HTMLElement>(null)

  // In a window too low for all entries, the one of the open page is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes.
  useEffect(() => {
    const entry = nav.current?.querySelector<HTMLElement>('[data-status="active"]')
    const scroller = nav.current?.parentElement
    if (!entry || !scroller) return
    const [inner, outer] = [entry.getBoundingClientRect(), scroller.getBoundingClientRect()]
    if (inner.top < outer.top) scroller.scrollTop -= outer.top - inner.top + 8
    else if (inner.bottom > outer.bottom) scroller.scrollTop += inner.bottom - outer.bottom + 8
  }, [pathname])

  return (
    <nav aria-label={text.navigation} className={classes.navigation} ref={nav}>
      {useSections().map(({ title, places }) => (
        <section key={title ?? ''} className={classes.section}>
          {title && <h2 className={classes.title}>{title}</h2>}
          <ul className={classes.list}>
            {places.map((place) => (
              <li key={place.to}>
                <Entry {...place} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function Entry({ label, to, icon: Sign, isExact = false, isOutside }: Place) {
  const inner = (
    <>
      <Sign size={17} stroke={1.7} aria-hidden />
      <span>{label}</span>
    </>
  )
  if (isOutside)
    return (
      <a href={to} target="_blank" rel="noreferrer" className={classes.entry}>
        {inner}
      </a>
    )
  return (
    <Link to={to} className={classes.entry} activeOptions={{ exact: isExact, includeSearch: false }}>
      {inner}
    </Link>
  )
}
