// The variants whose labels are printed, with the number of labels of each, and why a barcode is missing.
import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { WholeNumber } from '../../parts/WholeNumber.tsx'
import { text } from '../../texts/labels.ts'
import { codeOf, LEAST_MODULE, moduleOf } from './codes.ts'
import type { LabelFormat } from './formats.ts'
import { type ChangeWanted, MOST_LABELS } from './kept-list.ts'
import classes from './LabelsPage.module.css'
import type { LabelRow } from './use-labels.ts'

interface LabelListProps {
  readonly rows: readonly LabelRow[]
  readonly format: LabelFormat
  readonly setWanted: ChangeWanted
}

export function LabelList({ rows, format, setWanted }: LabelListProps) {
  return (
    <ul className={classes.list}>
      {rows.map((row) => {
        const { id } = row.variant
        const { name, options } = row.content
        const whole = [name, options].filter(Boolean).join(', ')
        return (
          <li key={id}>
            <div className={classes.variant}>
              <Text size="sm" fw={500} className="name">
                {whole}
              </Text>
              <CodeLine row={row} format={format} />
            </div>
            <WholeNumber
              className={classes.quantity}
              aria-label={text.quantityOf(whole)}
              value={row.quantity}
              least={0}
              most={MOST_LABELS}
              onChange={(quantity) =>
                setWanted((wanted) => wanted.map((one) => (one.variantId === id ? { ...one, quantity } : one)))
              }
            />
            <ActionIcon
              aria-label={text.remove(whole)}
              onClick={() => setWanted((wanted) => wanted.filter(({ variantId }) => variantId !== id))}
            >
              <IconX size={16} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}

/** The kind of barcode and what it says, or what is wrong with it. */
function CodeLine({ row: { value, variant }, format }: { row: LabelRow; format: LabelFormat }) {
  if (value === undefined) return <Line isWrong>{text.noCode}</Line>
  const code = codeOf(value)
  if (code === undefined) return <Line isWrong>{text.notEncodable(value)}</Line>
  if (moduleOf(code, format.width - 4) < LEAST_MODULE) return <Line isWrong>{text.tooLong(code.text)}</Line>
  return <Line>{[code.kind, code.text, !variant.barcode && text.bySku].filter(Boolean).join(' · ')}</Line>
}

const Line = ({ isWrong = false, children }: { isWrong?: boolean; children: string }) => (
  <Text size="xs" c={isWrong ? 'var(--cw-warn)' : 'dimmed'} className="name">
    {children}
  </Text>
)
