// Texts of the requests of an API key.
import { locale, translated } from '../language.ts'

const number = (value: number): string => value.toLocaleString(locale)

export const text = translated('key-requests', {
  title: 'Requests',
  request: 'Request',
  status: 'Status',
  all: 'All',
  duration: 'Duration',
  ms: (ms: number) => `${number(ms)} ms`,
  time: 'Time',
  requestId: 'Request ID',
  left: 'Left',
  copyCurl: 'Copy as curl',
  copied: 'Copied',
  count: (count: number) => `${number(count)} ${count === 1 ? 'request' : 'requests'}`,
  none: 'No requests yet',
  noneHint: 'Requests with this key appear here within seconds.',
  noneOf: (status: string) => `No requests with status ${status}`,
  noneOfHint: 'None of the last 1,000 requests had it.',
  hint: 'The last 1,000 requests within 30 days. Bodies, headers and values that may name a person are not stored; {name} stands for such a value. In a copied command, set CASHWRAP_KEY to the key.',
} as const)
