// The rejected lines of a file: the first of them here, all of them as a CSV.

import type { Import } from '../../api/schemas.ts'
import { text } from '../../texts/imports.ts'
import { CsvReport } from './CsvReport.tsx'
import { readRefused } from './refused.ts'

export function Refused({ job, count }: { job: Import; count: number }) {
  const head = (
    <>
      <th scope="col" data-align="right">
        {text.line}
      </th>
      <th scope="col">{text.column}</th>
      <th scope="col">{text.reason}</th>
    </>
  )
  return (
    <CsvReport
      {...{ job, count, head }}
      titles={[text.line, text.column, text.reason]}
      kind="refused"
      title={text.refusedTitle}
      read={readRefused}
    >
      {(lines) =>
        lines.map(({ line, column, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may be refused for several reasons, and none moves.
          <tr key={index}>
            <td data-align="right">{line}</td>
            <td>
              <bdi>{column}</bdi>
            </td>
            <td>
              <bdi>{text.said(reason)}</bdi>
            </td>
          </tr>
        ))
      }
    </CsvReport>
  )
}
