// The paper of an order's or a refund's page. Its parts are loaded after the page, which does not need them.
import { useEffect } from 'react'
import type { RecordData } from '../../api/records.ts'
import { Paper } from '../../parts/paper/Paper.tsx'
import { type PaperKind, pages } from '../../parts/paper/print.tsx'
import { useLater } from '../../parts/use-later.ts'
import { useReferred } from './referred.ts'

interface ReceiptPaperProps {
  readonly record: RecordData
  readonly order?: RecordData | undefined
  readonly isRefund?: boolean
  readonly paper: PaperKind
  readonly receipt: ReturnType<typeof useReceipt>
}

const loadReceipt = () => import('./Receipt.tsx')

/** The part that renders receipts; until it is loaded, nothing can be printed. */
export function useReceipt() {
  const [receipt, want] = useLater(loadReceipt)
  useEffect(want, [want])
  return receipt
}

export function ReceiptPaper({ record, order, paper, receipt, ...more }: ReceiptPaperProps) {
  const referred = useReferred(record, order)
  return (
    <Paper page={pages[paper]}>{receipt && <receipt.Receipt {...{ record, order, paper, referred, ...more }} />}</Paper>
  )
}
