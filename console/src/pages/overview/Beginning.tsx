// The first steps of a new shop: its time zone, an outlet, a catalogue, a key for its till. Finished steps are ticked.
import { Button, Text, ThemeIcon, Title } from '@mantine/core'
import {
  type Icon,
  IconBuildingStore,
  IconChartHistogram,
  IconCheck,
  IconId,
  IconKey,
  IconTag,
  IconUpload,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useCompany, useScope } from '../../api/company.ts'
import { type Page, someQuery } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import { Empty } from '../../parts/Empty.tsx'
import { text } from '../../texts/overview.ts'
import { importsQuery } from '../imports/import-job.ts'
import classes from './overview.module.css'

export function Beginning() {
  const canWrite = useCanWrite()
  if (!canWrite) return <Empty icon={IconChartHistogram} title={text.beginViewer} hint={text.beginViewerHint} />
  return <Steps />
}

function Steps() {
  const scope = useScope()
  const { timezone } = useCompany()
  const at = (path: string) => `/c/${scope.companyId}${path}`
  const { outlets, imports, products, keys, isRead } = useDone()
  return (
    <section className={classes.beginning} aria-labelledby="beginning">
      <div className={classes.welcome}>
        <Title order={2} id="beginning">
          {text.begin}
        </Title>
        <Text size="sm" c="dimmed" maw={480} mt={4}>
          {text.beginHint}
        </Text>
      </div>
      <ol>
        <Step
          icon={IconId}
          title={text.shopTitle}
          hint={text.shopHint}
          action={text.shopAction}
          to={at('/settings/company')}
          done={timezone && text.shopDone(timezone.replaceAll('_', ' '))}
          isMain={timezone === undefined}
        />
        <Step
          icon={IconBuildingStore}
          title={text.outletTitle}
          hint={text.outletHint}
          action={text.outletAction}
          to={at('/outlets/new')}
          done={outlets > 0 ? text.outletDone(outlets) : undefined}
          isMain={timezone !== undefined && isRead && outlets === 0}
        />
        <Step
          icon={IconUpload}
          title={text.importTitle}
          hint={text.importHint}
          action={text.importAction}
          to={at('/imports')}
          done={imports > 0 ? text.importDone(imports) : undefined}
          isMain={timezone !== undefined && isRead && outlets > 0 && products === 0}
        />
        <Step
          icon={IconTag}
          title={text.productTitle}
          hint={text.productHint}
          action={text.productAction}
          to={at('/products/new')}
          done={products > 0 ? text.productDone(products) : undefined}
        />
        <Step
          icon={IconKey}
          title={text.keyTitle}
          hint={text.keyHint}
          action={text.keyAction}
          to={at('/settings/keys')}
          done={keys > 0 ? text.keyDone(keys) : undefined}
          isMain={timezone !== undefined && isRead && outlets > 0 && products > 0 && keys === 0}
        />
      </ol>
    </section>
  )
}

/** How much of each step exists; zeros until it is read. */
function useDone() {
  const scope = useScope()
  const outlets = useQuery(someQuery(scope, 'outlets', { limit: 1 })).data
  const products = useQuery(someQuery(scope, 'products', { limit: 1 })).data
  const imports = useQuery(importsQuery(scope)).data
  const keys = useQuery({
    queryKey: [scope.companyId, 'keys', 'count'],
    queryFn: () => get<Pick<Page, 'meta'>>(scope, '/v1/keys', { query: { limit: 1 } }),
    retry: false,
  }).data
  return {
    outlets: outlets?.meta.count ?? 0,
    products: products?.meta.count ?? 0,
    imports: imports?.data.filter(({ state, kind }) => state === 'done' && kind === 'catalog').length ?? 0,
    keys: keys?.meta.count ?? 0,
    isRead: outlets !== undefined && products !== undefined && keys !== undefined,
  }
}

interface StepProps {
  readonly icon: Icon
  readonly title: string
  readonly hint: string
  readonly action: string
  readonly to: string
  /** What exists already. */
  readonly done?: string | undefined
  readonly isMain?: boolean
}

function Step({ icon: Sign, title, hint, action, to, done, isMain = false }: StepProps) {
  return (
    <li className={classes.step}>
      <ThemeIcon size={36} radius="md" variant="light" color={done === undefined ? 'iris' : 'teal'}>
        {done === undefined ? <Sign size={19} stroke={1.7} /> : <IconCheck size={19} />}
      </ThemeIcon>
      <div className={classes.stepText}>
        <Title order={3}>{title}</Title>
        <Text size="sm" c="dimmed">
          {hint} {done}
        </Text>
      </div>
      <Button component={Link} to={to} variant={isMain ? 'filled' : 'default'}>
        {action}
      </Button>
    </li>
  )
}
