// Above every page of a suspended company, for members of its organization, who may still view it.
import { useQuery } from '@tanstack/react-query'
import { companyQuery, useCompanyId } from '../api/company.ts'
import { SuspendedAlert } from '../parts/SuspendedAlert.tsx'
import { text } from '../texts/shell.ts'
import classes from './SuspendedBanner.module.css'

export function SuspendedBanner() {
  const { data: company } = useQuery(companyQuery(useCompanyId()))
  if (company?.status !== 'suspended') return null
  return (
    <div className={classes.banner}>
      <SuspendedAlert reason={company.suspendedReason ?? ''} hint={text.suspendedHint} />
    </div>
  )
}
