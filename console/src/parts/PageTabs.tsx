// The tabs of a page; the address names the open one.
import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './PageTabs.module.css'

interface Tab {
  readonly name: string
  readonly label: string
  readonly panel: ReactNode
  /** Ends at the window's lower edge and scrolls inside. */
  readonly isFilling?: boolean
  /** Keeps what is typed in it while another tab is open. */
  readonly isKept?: boolean
}

/** The open tab: the one in the address, or else the first. */
export function useTab<T extends string>(names: readonly [T, ...T[]]): T {
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  return names.find((name) => name === tab) ?? names[0]
}

export function PageTabs({ open, tabs }: { open: string; tabs: readonly Tab[] }) {
  const navigate = useNavigate()
  const isFilling = tabs.find(({ name }) => name === open)?.isFilling
  return (
    <Tabs
      value={open}
      onChange={(tab) => void navigate({ to: '.', search: { tab } as never, replace: true })}
      keepMounted={false}
      classNames={{ root: isFilling ? classes.filling : undefined, panel: classes.panel }}
    >
      <Tabs.List>
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, panel, isKept = false }) => (
        <Tabs.Panel key={name} value={name} keepMounted={isKept}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
