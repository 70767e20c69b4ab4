// The frame of all signed-in pages: navigation at the side, on small screens behind a button.
import { ActionIcon, Burger, Group, Text } from '@mantine/core'
import { useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isSearchKey } from '../parts/typing.ts'
import { useLater } from '../parts/use-later.ts'
import { text } from '../texts/shell.ts'
import { Bell } from './Bell.tsx'
import { focusPage } from './kept-focus.ts'
import { Logo } from './Logo.tsx'
import { Navigation } from './Navigation.tsx'
import { SearchButton } from './SearchButton.tsx'
import classes from './Shell.module.css'
import { ShopZone } from './ShopZone.tsx'
import { Switcher } from './Switcher.tsx'
import { useTypeAhead } from './typed-ahead.ts'
import { UserMenu } from './UserMenu.tsx'

const loadPalette = () => import('./CommandPalette.tsx')

export function Shell() {
  const menu = useMenu()
  const [isSearching, setSearching] = useState(false)
  const [palette, wantPalette] = useLater(loadPalette)
  const ahead = useTypeAhead()

  useSearchKey(search)
  useLightPrint()

  function search() {
    wantPalette()
    const isOpening = palette === undefined || !isSearching
    if (isOpening) ahead.begin()
    setSearching(isOpening)
  }

  return (
    <div className={classes.root}>
      <a href="#content" className={classes.skip}>
        {text.skip}
      </a>
      <header className={classes.header} inert={menu.isOpen}>
        <Burger ref={menu.opener} onClick={menu.open} size="sm" aria-label={text.menu} aria-expanded={menu.isOpen} />
        <Logo />
        <div className={classes.product}>
          <Text fw={600}>{text.product}</Text>
          <ShopZone />
        </div>
        <Bell />
        <ActionIcon size="lg" aria-label={text.search} onClick={search}>
          <IconSearch size={20} stroke={1.8} />
        </ActionIcon>
      </header>
      <div className={classes.navbar} data-open={menu.isOpen || undefined}>
        <Group gap={4} p="xs" wrap="nowrap">
          <Switcher />
          <Group visibleFrom="md">
            <Bell />
          </Group>
          <Burger ref={menu.closer} opened onClick={menu.close} size="sm" aria-label={text.close} hiddenFrom="md" />
        </Group>
        <div className={classes.search}>
          <SearchButton onClick={search} />
        </div>
        <div className={classes.zone}>
          <ShopZone />
        </div>
        <div className={classes.pages}>
          <Navigation />
        </div>
        <div className={classes.user}>
          <UserMenu />
        </div>
      </div>
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page} inert={menu.isOpen}>
          <Outlet />
        </div>
        {/* Menus and lists are rendered here, so that they are part of the page's main content. */}
        <div data-mantine-shared-portal-node className={classes.over} />
      </main>
      {palette && <palette.CommandPalette isOpen={isSearching} ahead={ahead} close={() => setSearching(false)} />}
    </div>
  )
}

/** The navigation of small screens covers the page, and keeps the focus until Escape, its button or another page closes it. */
function useMenu() {
  const { pathname } = useLocation()
  const isNarrow = useMediaQuery('(max-width: 62em)') === true
  const [openedOn, setOpenedOn] = useState<string>()
  const isOpen = isNarrow && openedOn === pathname
  const opener = useRef<HTMLButtonElement>(null)
  const closer = useRef<HTMLButtonElement>(null)

  // Another page closes it, and hides the link that had the focus.
  useEffect(() => {
    if (openedOn === undefined || openedOn === pathname) return
    setOpenedOn(undefined)
    focusPage()
  }, [openedOn, pathname])

  // Renders at once, since an element that is not there yet takes no focus.
  function open() {
    flushSync(() => setOpenedOn(pathname))
    closer.current?.focus()
  }

  function close() {
    flushSync(() => setOpenedOn(undefined))
    opener.current?.focus()
  }

  useWindowEvent('keydown', ({ key, target }) => {
    const isThere = target instanceof Element && target.closest(`.${classes.navbar}`) !== null
    // If a menu in it is open, Escape closes only the menu.
    if (key === 'Escape' && isOpen && isThere && target.ariaExpanded !== 'true') close()
  })

  return { isOpen, opener, closer, open, close }
}

/** Ctrl+K or ⌘K opens and closes the search; “/” opens it where the page has no search of its own. */
function useSearchKey(search: () => void): void {
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey
      if (!isShortcut && !isSearchKey(event)) return
      event.preventDefault()
      search()
    }
    window.addEventListener('keydown', heard)
    return () => window.removeEventListener('keydown', heard)
  })
}

/** Print is always light, whatever the colour scheme. */
function useLightPrint(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    const scheme = { before: dataset.mantineColorScheme }
    const begin = () => {
      scheme.before = dataset.mantineColorScheme
      dataset.mantineColorScheme = 'light'
    }
    const end = () => {
      dataset.mantineColorScheme = scheme.before
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
}
