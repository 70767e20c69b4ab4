// Labels with barcodes: for which variants, how many of each, on which paper, with a preview of what is printed.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPrinter, IconTags } from '@tabler/icons-react'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { Paper } from '../../parts/paper/Paper.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { VariantFinder } from '../../parts/VariantFinder.tsx'
import { text } from '../../texts/labels.ts'
import { formats, pageOf } from './formats.ts'
import { MOST_LABELS, useWanted, type Wanted } from './kept-list.ts'
import { LabelList } from './LabelList.tsx'
import { type Choices, LabelSettings, usualChoices } from './LabelSettings.tsx'
import { Labels } from './Labels.tsx'
import classes from './LabelsPage.module.css'
import { Preview } from './Preview.tsx'
import { QuantityMenu } from './QuantityMenu.tsx'
import { useLabels } from './use-labels.ts'

export function LabelsPage() {
  const { wanted, setWanted, replaced, endReplaced } = useWanted()
  const [choices, setChoices] = useLocalStorage<Choices>({
    key: 'cashwrap-label-choices',
    defaultValue: usualChoices,
    getInitialValueInEffect: false,
  })
  const { rows, isNamed, error, isPending, retry } = useLabels(wanted, choices.show)
  const format = formats.find(({ id }) => id === choices.format) ?? (formats[0] as (typeof formats)[number])
  const labels = rows.flatMap(({ content, quantity }) => Array.from({ length: quantity }, () => content))
  const isTooMany = labels.length > MOST_LABELS
  const skip = format.sheet === undefined ? 0 : choices.skip
  const [width, height] = pageOf(format)
  return (
    <PageBody size="middle">
      <PageHeader title={text.title} description={text.hint}>
        {labels.length > 0 && (
          <Button
            leftSection={<IconPrinter size={16} />}
            disabled={isTooMany || !isNamed}
            onClick={() => window.print()}
          >
            {text.print(labels.length)}
          </Button>
        )}
      </PageHeader>
      {replaced.length > 0 && <Replaced list={replaced} end={endReplaced} />}
      <div className={classes.columns}>
        <Card title={text.variants} actions={rows.length > 0 && <QuantityMenu {...{ rows, setWanted }} />}>
          <Stack gap="md">
            <VariantFinder
              label={text.add}
              placeholder={text.addHint}
              add={({ variant: { id } }) => setWanted((now) => withOneMore(now, id))}
            />
            {error && <Failure error={error} retry={retry} />}
            {isPending && wanted.length > 0 && <RowsSkeleton rows={Math.min(wanted.length, 6)} />}
            {wanted.length === 0 && <Empty icon={IconTags} title={text.none} hint={text.noneHint} />}
            {rows.length > 0 && <LabelList {...{ rows, format, setWanted }} />}
          </Stack>
        </Card>
        <Stack gap="lg" miw={0}>
          <LabelSettings {...{ choices, format }} onChange={setChoices} />
          {labels.length > 0 && <Preview {...{ format, labels, skip, isTooMany }} />}
        </Stack>
      </div>
      {labels.length > 0 && !isTooMany && (
        <Paper page={`size: ${width}mm ${height}mm; margin: 0`}>
          <Labels {...{ format, labels, skip }} />
        </Paper>
      )}
    </PageBody>
  )
}

interface ReplacedProps {
  readonly list: readonly Wanted[]
  readonly end: (isUndone: boolean) => void
}

/** Says that a list was replaced by the one that another page handed over. */
function Replaced({ list, end }: ReplacedProps) {
  const labels = list.reduce((sum, { quantity }) => sum + quantity, 0)
  return (
    <Alert color="blue" role="status" mb="lg" withCloseButton closeButtonLabel={text.close} onClose={() => end(false)}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{text.replaced(labels)}</Text>
        <Button variant="default" size="xs" onClick={() => end(true)}>
          {text.bringBack}
        </Button>
      </Group>
    </Alert>
  )
}

/** A variant that is in the list already gets one more label. */
const withOneMore = (wanted: readonly Wanted[], variantId: string) =>
  wanted.some((one) => one.variantId === variantId)
    ? wanted.map((one) => (one.variantId === variantId ? { ...one, quantity: one.quantity + 1 } : one))
    : [...wanted, { variantId, quantity: 1 }]
