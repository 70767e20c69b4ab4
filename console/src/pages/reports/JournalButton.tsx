// Downloads the journal of a period for the books, as a CSV file with one line per entry.
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { get } from '../../api/request.ts'
import type { JournalReport } from '../../api/schemas.ts'
import { csvFile, csvLine, numberText } from '../../parts/csv.ts'
import { download } from '../../parts/download.ts'
import { complain, warn } from '../../parts/notices.ts'
import { useReportZone } from '../../parts/time-zone.ts'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text as records } from '../../texts/records.ts'
import { text } from '../../texts/reports.ts'

interface JournalButtonProps {
  readonly from: string
  readonly to: string
}

export function JournalButton({ from, to }: JournalButtonProps) {
  const { companyId } = useScope()
  const query = { from, to, ...useReportZone() }
  const { mutate, isPending } = useMutation({
    mutationFn: () => get<JournalReport>({ companyId }, '/v1/reports/journal', { query }),
    onSuccess: (report) =>
      report.isComplete ? download(csvOf(report), `journal-${from}-${to}.csv`) : warn(text.journalIncomplete),
    onError: (error) => complain(error),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isPending}
      disabled={from > to}
      onClick={() => mutate()}
    >
      {text.journal}
    </Button>
  )
}

function csvOf({ entries }: JournalReport): Blob {
  const outlet = labelOf('outletId')
  const method = labelOf('paymentMethod')
  const head = [text.day, outlet, records.idOf(outlet), text.currency, text.account, text.taxRate, method, text.movement, text.debit, text.credit] // biome-ignore format: one thought
  const words = (value: string | null | undefined) => value && wordOf(value)
  const rows = entries.map((entry) => [
    entry.day,
    entry.outletName,
    entry.outletId,
    entry.currency,
    text.accounts[entry.account],
    numberText(entry.taxRate),
    words(entry.paymentMethod),
    words(entry.movementType),
    numberText(entry.debit),
    numberText(entry.credit),
  ])
  return csvFile([head, ...rows].map((cells) => csvLine(cells)))
}
