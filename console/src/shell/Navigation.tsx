// The navigation: the pages of the open company or organization in sections that fold, with the open one marked and in view.
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { text } from '../texts/shell.ts'
import classes from './Navigation.module.css'
import { type NavigationItem, type Section, useSections } from './navigation-items.ts'

/** In a window too low for all entries, keeps the one of the open page in view. */
function useEntryInView() {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const inner = nav.current
    const scroller = inner?.parentElement
    if (!inner || !scroller) return
    const show = () => showEntry(inner, scroller)
    // Runs before anything else can: when another entry is the open page's, and when entries come that move it.
    const entries = new MutationObserver(show)
    entries.observe(inner, { subtree: true, childList: true, attributeFilter: ['data-status'] })
    // Also runs at once, and when the window, the frame or the typeface has changed.
    const sizes = new ResizeObserver(show)
    sizes.observe(inner)
    sizes.observe(scroller)
    return () => {
      entries.disconnect()
      sizes.disconnect()
    }
  }, [])
  return nav
}

function showEntry(nav: HTMLElement, scroller: HTMLElement): void {
  const entry = nav.querySelector('[data-status="active"]')
  if (entry === null) return
  const inner = entry.getBoundingClientRect()
  const outer = scroller.getBoundingClientRect()
  if (inner.top < outer.top) scroller.scrollTop -= outer.top - inner.top + 8
  else if (inner.bottom > outer.bottom) scroller.scrollTop += inner.bottom - outer.bottom + 8
}

export function Navigation() {
  const nav = useEntryInView()
  const { isOpen, canFold, toggle } = useFolding()
  return (
    <nav aria-label={text.navigation} className={classes.navigation} ref={nav}>
      {useSections().map((section) => (
        <NavigationSection
          key={section.title ?? ''}
          section={section}
          isOpen={isOpen(section)}
          canFold={canFold(section)}
          toggle={() => toggle(section)}
        />
      ))}
    </nav>
  )
}

/** What a section's state is kept under: the name of its first page, which is the same in each language. */
const keyOf = ({ places }: Section): string => places[0]?.to.split('/').at(-1) ?? ''

/** Which sections are open: those that the user opened, else the main ones, and always the one of the open page. */
function useFolding() {
  const { pathname } = useLocation()
  const [chosen, setChosen] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: 'cashwrap-navigation',
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const isHere = ({ places }: Section) => places.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  const isOpen = (section: Section) =>
    section.isFolded === undefined || isHere(section) || (chosen[keyOf(section)] ?? !section.isFolded)
  return {
    isOpen,
    canFold: (section: Section) => section.isFolded !== undefined && !isHere(section),
    toggle: (section: Section) => setChosen({ ...chosen, [keyOf(section)]: !isOpen(section) }),
  }
}

interface NavigationSectionProps {
  readonly section: Section
  readonly isOpen: boolean
  readonly canFold: boolean
  readonly toggle: () => void
}

function NavigationSection({ section: { title, places }, isOpen, canFold, toggle }: NavigationSectionProps) {
  return (
    <section className={classes.section}>
      {title && (
        <h2 className={classes.title}>
          {canFold ? (
            <button type="button" onClick={toggle} aria-expanded={isOpen}>
              {title}
              <IconChevronDown size={14} stroke={1.8} aria-hidden />
            </button>
          ) : (
            title
          )}
        </h2>
      )}
      {isOpen && (
        <ul>
          {places.map((place) => (
            <li key={place.to}>
              <Entry {...place} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Entry({ label, to, icon: Sign, isExact = false, isOutside }: NavigationItem) {
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
