// The first sheet, or the first label of a roll, as it is printed, in the width of its card.
import { Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { Card } from '../../parts/Card.tsx'
import { text } from '../../texts/labels.ts'
import { type LabelFormat, pageOf, perPage } from './formats.ts'
import { MOST_LABELS } from './kept-list.ts'
import { type LabelContent, Labels } from './Labels.tsx'
import classes from './LabelsPage.module.css'

interface PreviewProps {
  readonly format: LabelFormat
  readonly labels: readonly LabelContent[]
  readonly skip: number
  readonly isTooMany: boolean
}

/** CSS pixels in a millimetre. */
const PIXELS = 96 / 25.4

export function Preview({ format, labels, skip, isTooMany }: PreviewProps) {
  const { ref, width } = useElementSize()
  const [pageWidth, pageHeight] = pageOf(format)
  const scale = width / (pageWidth * PIXELS)
  const each = perPage(format)
  const sheets = format.sheet === undefined ? undefined : Math.ceil((labels.length + skip) / each)
  return (
    <Card title={text.preview} aside={sheets === undefined ? undefined : text.pages(sheets)}>
      {isTooMany && (
        <Text size="sm" c="var(--cw-bad)" role="alert" mb="sm">
          {text.tooMany(MOST_LABELS)}
        </Text>
      )}
      <div ref={ref} className={classes.preview} style={{ height: pageHeight * PIXELS * scale }}>
        <div style={{ transform: `scale(${scale})` }}>
          <Labels format={format} labels={labels.slice(0, each - skip)} skip={skip} />
        </div>
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {text.printHint}
      </Text>
    </Card>
  )
}
