// The first steps of a new shop: a key, a catalogue. Finished steps are ticked.
import { Button, Text, ThemeIcon, Title } from '@mantine/core'
import { type Icon, IconChartHistogram, IconCheck, IconKey, IconTag, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useWhose } from '../../api/company.ts'
import { type Page, someQuery } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import { Empty } from '../../parts/Empty.tsx'
import { text } from '../../texts/overview.ts'
import classes from './overview.module.css'

export function Beginning() {
  const canWrite = useCanWrite()
  if (!canWrite) return <Empty icon={IconChartHistogram} title={text.beginViewer} hint={text.beginViewerHint} />
  return <Steps />
}

function Steps() {
  const whose = useWhose()
  const at = (path: string) => `/c/${whose.companyId}${path}`
  const { data: products } = useQuery(someQuery(whose, 'products', { limit: 1 }))
  const { data: keys } = useQuery({
    queryKey: [whose.companyId, 'keys', 'count'],
    queryFn: () => get<Pick<Page, 'meta'>>(whose, '/v1/keys', { query: { limit: 1 } }),
    retry: false,
  })
  const [keyCount, productCount] = [keys?.meta.count ?? 0, products?.meta.count ?? 0]
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
      <ol className={classes.steps}>
        <Step
          icon={IconKey}
          title={text.keyTitle}
          hint={text.keyHint}
          action={text.keyAction}
          to={at('/settings/keys')}
          done={keyCount > 0 ? text.keyDone(keyCount) : undefined}
        />
        <Step
          icon={IconUpload}
          title={text.importTitle}
          hint={text.importHint}
          action={text.importAction}
          to={at('/imports')}
          isMain={productCount === 0}
        />
        <Step
          icon={IconTag}
          title={text.productTitle}
          hint={text.productHint}
          action={text.productAction}
          to={at('/products/new')}
          done={productCount > 0 ? text.productDone(productCount) : undefined}
        />
      </ol>
    </section>
  )
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
