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
}

const loadReceipt = () => import('./Receipt.tsx')

export function ReceiptPaper({ record, order, paper, ...more }: ReceiptPaperProps) {
  const [receipt, want] = useLater(loadReceipt)
  const referred = useReferred(record, order)
  useEffect(want, [want])
  return (
    <Paper page={pages[paper]}>{receipt && <receipt.Receipt {...{ record, order, paper, referred, ...more }} />}</Paper>
  )
}
