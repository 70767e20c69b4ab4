// What labels are printed on, and what they show; the browser remembers both.
import { Checkbox, Group, Select, Stack } from '@mantine/core'
import { Card } from '../../parts/Card.tsx'
import { useFormat } from '../../parts/format.ts'
import { WholeNumber } from '../../parts/WholeNumber.tsx'
import { text } from '../../texts/labels.ts'
import { formats, type LabelFormat, perPage } from './formats.ts'
import type { Shown } from './use-labels.ts'

export interface Choices {
  /** Id of the format. */
  readonly format: string
  readonly show: Shown
  /** Labels of the first sheet that were used before. */
  readonly skip: number
}

export const usualChoices: Choices = {
  format: formats[0]?.id ?? '',
  show: { price: true, sku: false, shop: false, code: true },
  skip: 0,
}

interface LabelSettingsProps {
  readonly choices: Choices
  readonly format: LabelFormat
  readonly onChange: (choices: Choices) => void
}

export function LabelSettings({ choices, format, onChange }: LabelSettingsProps) {
  const { number } = useFormat()
  const each = perPage(format)
  const optionOf = (one: LabelFormat) => ({
    value: one.id,
    label: [
      text.sizeOf(number(one.width), number(one.height)),
      one.sheet && text.sheetOf(one.sheet.columns, one.sheet.rows, one.sheet.size === 'A4' ? 'A4' : 'Letter'),
      one.known,
    ]
      .filter(Boolean)
      .join(' · '),
  })
  return (
    <Card title={text.paper}>
      <Stack gap="md">
        <Select
          aria-label={text.format}
          data={[
            { group: text.sheets, items: formats.filter(({ sheet }) => sheet !== undefined).map(optionOf) },
            { group: text.rolls, items: formats.filter(({ sheet }) => sheet === undefined).map(optionOf) },
          ]}
          value={format.id}
          maxDropdownHeight={360}
          onChange={(id) => id !== null && onChange({ ...choices, format: id, skip: 0 })}
        />
        <Checkbox.Group
          label={text.show}
          value={Object.entries(choices.show).flatMap(([name, is]) => (is ? name : []))}
          onChange={(names) =>
            onChange({
              ...choices,
              show: {
                price: names.includes('price'),
                sku: names.includes('sku'),
                shop: names.includes('shop'),
                code: names.includes('code'),
              },
            })
          }
        >
          <Group gap="sm" mt={6}>
            {(Object.keys(text.shows) as (keyof Shown)[]).map((name) => (
              <Checkbox key={name} value={name} label={text.shows[name]} />
            ))}
          </Group>
        </Checkbox.Group>
        {format.sheet !== undefined && (
          <WholeNumber
            label={text.start}
            description={text.startHint(each)}
            value={choices.skip + 1}
            least={1}
            most={each}
            onChange={(value) => onChange({ ...choices, skip: value - 1 })}
          />
        )}
      </Stack>
    </Card>
  )
}
