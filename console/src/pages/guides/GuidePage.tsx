// A guide, and beside it the list of all guides.
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useRef } from 'react'
import { useParam, useScope } from '../../api/company.ts'
import { Failure } from '../../parts/Failure.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { text } from '../../texts/shell.ts'
import classes from './GuidePage.module.css'
import { guides, readGuide } from './guides.ts'

const first = 'console'

export function GuidePage() {
  const { companyId } = useScope()
  const navigate = useNavigate()
  const name = useParam('guide') || first
  const base: string = `/c/${companyId}/guides`
  const addressOf = (guide: string): string => `${base}/${guide}`
  const title = guides.find((guide) => guide.name === name)?.title
  const open = (to: string) => void navigate({ to })
  usePageTitle(title)
  if (title === undefined) return <NotFound />
  return (
    <div className={classes.page}>
      <Select
        className={classes.choice}
        aria-label={text.pages.guides}
        data={guides.map((guide) => ({ value: guide.name, label: guide.title }))}
        value={name}
        onChange={(chosen) => chosen !== null && open(addressOf(chosen))}
      />
      <nav className={classes.list} aria-label={text.pages.guides}>
        {guides.map((guide) => (
          <Link key={guide.name} to={addressOf(guide.name)} data-open={guide.name === name || undefined}>
            {guide.title}
          </Link>
        ))}
      </nav>
      <Body key={name} name={name} base={base} />
    </div>
  )
}

function Body({ name, base }: { name: string; base: string }) {
  const navigate = useNavigate()
  const { hash } = useLocation()
  const article = useRef<HTMLElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['guide', name],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readGuide(name),
  })
  // The part that the address names is there only now.
  useEffect(() => {
    if (typeof data === 'string' && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [data, hash])

  /** Links between guides stay in this page. */
  function follow(event: MouseEvent<HTMLElement>) {
    const href = (event.target as HTMLElement).closest('a')?.getAttribute('href')
    if (typeof href !== 'string' || /^(https?:|\/)/.test(href) || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const [to = '', part] = href.split('#')
    const address: string = to === '' ? '.' : `${base}/${to}`
    void navigate({ to: address, ...(part && { hash: part }) })
  }

  if (typeof data !== 'string')
    return error ? <Failure error={error} retry={() => void refetch()} /> : <RowsSkeleton rows={8} />
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links inside take keys.
    <article
      ref={article}
      className={classes.guide}
      onClick={follow}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the build made it of our own files.
      dangerouslySetInnerHTML={{ __html: data }}
    />
  )
}
