// Changes the prices of selected rows or of all rows by percent, with the prices before and after.
import { Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { currencyDigits } from '../../../../server/src/core/currency.ts'
import { useCompany } from '../../api/company.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormModal } from '../../parts/FormModal.tsx'
import { NumberText } from '../../parts/NumberText.tsx'
import type { VariantSheetState } from '../../parts/sheet/variant-sheet.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/prices.ts'
import { Preview, type PriceChange } from './PricesPreview.tsx'
import { changedBy, roundingsOf } from './percent.ts'

interface PercentDialogProps {
  readonly state: VariantSheetState
  readonly close: () => void
}

type Target = keyof typeof text.targets
/** Rows of the preview. */
const mostShown = 50

/** What is entered in the dialog, and what it would change. */
function usePercent(state: VariantSheetState) {
  const { sheet } = state
  const { top, bottom } = sheet.range
  const { currency } = useCompany()
  const roundings = useMemo(() => roundingsOf(currencyDigits(currency)), [currency])
  const [target, setTarget] = useState<Target>('price')
  const [typed, setTyped] = useState<number | Unreadable>()
  const [round, setRound] = useState(roundings[0]?.label ?? '')
  const [which, setWhich] = useState('selected')
  const isReading = useAllRows(state, which === 'all')
  const [isTried, setTried] = useState(false)
  const wrong = problemWith(typed)
  const rounding = roundings.find(({ label }) => label === round)?.rounding
  const rows = which === 'all' ? { from: 0, to: sheet.size.rows - 1 } : { from: top, to: bottom }
  const found =
    wrong !== undefined || rounding === undefined || typed === undefined
      ? { changes: [], without: 0 }
      : changesOf(sheet, target, rows, (amount) => changedBy(amount, Number(typed), rounding))
  const inputs = {
    target,
    setTarget,
    typed,
    setTyped,
    wrong: wrong ?? (isTried && typed === undefined ? text.missingPercent : undefined),
    roundings,
    round,
    setRound,
    which,
    setWhich,
  }
  return { ...found, isReading, inputs, insist: () => setTried(true) }
}

export function PercentDialog({ state, close }: PercentDialogProps) {
  const { sheet, say } = state
  const { changes, without, isReading, inputs, insist } = usePercent(state)
  const count = changes.length

  function apply() {
    sheet.put(changes.map(({ place, after }) => ({ place, value: after })))
    say(text.applied(count))
    close()
  }

  return (
    <FormModal opened isDirty={inputs.typed !== undefined} close={close} title={text.changePercent} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (count > 0 && !isReading) return apply()
          insist()
          event.currentTarget.querySelector('input')?.focus()
        }}
      >
        <Stack gap="md">
          <Inputs {...inputs} state={state} />
          <Text size="sm" c={count > 0 ? undefined : 'dimmed'} role="status">
            {isReading ? text.reading(sheet.size.rows, totalOf(state)) : summaryOf(count, without)}
          </Text>
          {count > 0 && !isReading && <Preview state={state} changes={changes.slice(0, mostShown)} />}
          <DialogButtons cancel={close}>
            <Button type="submit" data-saves>
              {text.apply(count)}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </FormModal>
  )
}

/** The number of rows, if it is known. */
const totalOf = ({ list }: VariantSheetState): number | undefined => list.data?.pages[0]?.count

function Inputs(props: ReturnType<typeof usePercent>['inputs'] & { readonly state: VariantSheetState }) {
  const { state, target, setTarget, typed, setTyped, wrong, roundings, round, setRound, which, setWhich } = props
  const { range, size } = state.sheet
  return (
    <>
      <Group gap="sm" align="flex-start" grow preventGrowOverflow={false}>
        <NumberText
          label={text.percent}
          placeholder={text.percentHint}
          rightSection={
            <Text size="sm" c="dimmed">
              %
            </Text>
          }
          value={typed}
          error={wrong}
          {...firstInput()}
          onChange={(next) => setTyped(next instanceof Unreadable || next === undefined ? next : Number(next))}
        />
        <Select
          label={text.what}
          data={Object.entries(text.targets).map(([value, label]) => ({ value, label }))}
          value={target}
          onChange={(next) => setTarget((next ?? 'price') as Target)}
        />
      </Group>
      <Group gap="xl" align="flex-start">
        <Choice label={text.rounding} value={round} onChange={setRound} data={roundings.map(({ label }) => label)} />
        <Choice
          label={text.whichRows}
          value={which}
          onChange={setWhich}
          data={[
            { value: 'selected', label: text.selectedRows(range.bottom - range.top + 1) },
            { value: 'all', label: text.allRows(totalOf(state) ?? size.rows) },
          ]}
        />
      </Group>
    </>
  )
}

const summaryOf = (count: number, without: number): string =>
  [text.willChange(count), without > 0 && text.without(without), count > mostShown && text.firstOnly(mostShown)]
    .filter(Boolean)
    .join(' ')

function problemWith(typed: number | Unreadable | undefined): string | undefined {
  if (typed instanceof Unreadable) return typed.reason
  if (typed !== undefined && typed <= -100) return text.atLeast
  return typed !== undefined && typed > 10_000 ? text.atMost : undefined
}

/** Reads the remaining rows, if they are asked for; true while it does. */
function useAllRows({ list }: VariantSheetState, areAsked: boolean): boolean {
  const { hasNextPage, isFetching, isError, fetchNextPage } = list
  const mayRead = areAsked && hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (mayRead) void fetchNextPage()
  }, [mayRead, fetchNextPage])
  return areAsked && hasNextPage
}

/** The cells that change, and the number of rows without an amount to change. */
function changesOf(
  sheet: VariantSheetState['sheet'],
  target: Target,
  { from, to }: { readonly from: number; readonly to: number },
  change: (amount: number) => number,
): { readonly changes: readonly PriceChange[]; readonly without: number } {
  const columnOf = (id: string) => sheet.heads.findIndex((head) => head.id === id)
  const source = columnOf(target === 'saleFromPrice' ? 'price' : target)
  const column = columnOf(target === 'saleFromPrice' ? 'salePrice' : target)
  const changes: PriceChange[] = []
  let without = 0
  for (let row = from; row <= to; row++) {
    const amount = sheet.valueAt({ row, column: source })
    if (amount === undefined || amount <= 0) {
      without++
      continue
    }
    const before = sheet.valueAt({ row, column })
    const after = change(amount)
    if (after !== before) changes.push({ place: { row, column }, before, after })
  }
  return { changes, without }
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly data: string[] | { value: string; label: string }[]
}

const Choice = ({ label, ...props }: ChoiceProps) => (
  <div>
    <Text size="sm" fw={500} mb={4}>
      {label}
    </Text>
    <SegmentedControl {...props} aria-label={label} />
  </div>
)
