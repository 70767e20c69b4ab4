// The head of a page: its parent page, its title, and its actions.
import { ActionIcon, Anchor, Group, Text, Title } from '@mantine/core'
import { IconChevronLeft, IconHelp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCompany, useCompanyId } from '../api/company.ts'
import { useLateHeading } from '../shell/kept-focus.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { text } from '../texts/shell.ts'
import classes from './PageHeader.module.css'

interface PageHeaderProps {
  readonly title: string
  /** The list or page above this one. */
  readonly above?: { readonly label: string; readonly to: string }
  /** Beside the title: a status, a count. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  /** Below the title on paper: what the page is about where its choices are not printed, such as a period. */
  readonly onPaper?: ReactNode
  /** The name of the guide that helps with this page. */
  readonly guide?: string
  readonly children?: ReactNode
}

export function PageHeader({ title, above, aside, description, onPaper, guide, children }: PageHeaderProps) {
  usePageTitle(title)
  useLateHeading()
  const isOfCompany = useCompanyId() !== ''
  return (
    <header className={classes.header}>
      <div className={classes.titles}>
        {isOfCompany && <CompanyOnPaper />}
        {above && (
          <Anchor component={Link} to={above.to} className={classes.above} underline="never">
            <IconChevronLeft size={14} aria-hidden />
            {above.label}
          </Anchor>
        )}
        <Group gap="sm" wrap="wrap">
          <Title order={1} className="name" lineClamp={3} title={title.length > 100 ? title : undefined}>
            <bdi>{title}</bdi>
          </Title>
          {aside}
          {guide !== undefined && <GuideLink title={title} guide={guide} />}
        </Group>
        {description && (
          <Text c="dimmed" size="sm" mt={2} maw={680}>
            {description}
          </Text>
        )}
        {onPaper && <div className="paper-only">{onPaper}</div>}
      </div>
      {children && (
        <Group gap="xs" className={classes.actions}>
          {children}
        </Group>
      )}
    </header>
  )
}

/** The company that the page belongs to. On the screen, the navigation names it. */
function CompanyOnPaper() {
  const { name } = useCompany()
  return (
    <div className="paper-only">
      <bdi>{name}</bdi>
    </div>
  )
}

function GuideLink({ title, guide }: { title: string; guide: string }) {
  const companyId = useCompanyId()
  const label = text.guide(title)
  // Guides are pages of a company.
  if (companyId === '') return null
  return (
    <ActionIcon
      component={Link}
      to={`/c/${companyId}/guides/${guide}`}
      aria-label={label}
      title={label}
      className="screen-only"
    >
      <IconHelp size={18} stroke={1.7} />
    </ActionIcon>
  )
}
