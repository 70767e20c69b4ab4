// The head of a receipt: the shop, its address and its tax number.
import { useCompany } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import { text } from '../../texts/paper.ts'
import classes from './Receipt.module.css'

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** The lines of an address; a receipt that stays in the country does not name it. */
function addressOf(at: Readonly<Record<string, any>> | undefined): string[] {
  return [at?.address1 ?? at?.address, at?.address2, joined(at?.postCode, at?.city), at?.state].filter(
    (line): line is string => typeof line === 'string' && line !== '',
  )
}

export function Shop({ outlet }: { outlet: RecordData | undefined }) {
  const company = useCompany()
  const own = addressOf(outlet)
  const phone = outlet?.phone ?? company.phone
  const lines = [
    outlet?.name !== company.name && outlet?.name,
    ...(own.length > 0 ? own : addressOf(company.address)),
    phone && `${text.phone} ${phone}`,
    company.taxId && `${text.taxId} ${company.taxId}`,
  ]
  return (
    <div className={classes.shop}>
      <strong>
        <bdi>{company.name}</bdi>
      </strong>
      {lines.filter(Boolean).map((line) => (
        <div key={String(line)}>
          <bdi>{line}</bdi>
        </div>
      ))}
    </div>
  )
}
