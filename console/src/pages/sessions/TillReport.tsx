// The closing report as a till printed it, or its data: an object is shown by its parts.
import type { MemberInputProps } from '../../parts/member-shape.ts'
import { ReadFact } from '../../parts/ReadMember.tsx'
import { Value } from '../../parts/Value.tsx'
import { labelOf } from '../../texts/members.ts'

export const TillReport = ({ name, value }: MemberInputProps) => (
  <ReadFact label={labelOf(name)}>
    <Value member={name} schema={{}} value={readReport(String(value))} />
  </ReadFact>
)

/** The object that a text is as JSON, or else the text. */
function readReport(report: string): unknown {
  try {
    const read: unknown = JSON.parse(report)
    return typeof read === 'object' ? read : report
  } catch {
    return report
  }
}
