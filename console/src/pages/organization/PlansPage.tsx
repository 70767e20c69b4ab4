// The plans of an organization: the limits of each, and which one is the default.
import { Button } from '@mantine/core'
import { IconPackage, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { plansQuery, useOrganizationId } from '../../api/organization.ts'
import { asProblem } from '../../api/problem.ts'
import type { Plan } from '../../api/schemas.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/organization.ts'
import { text as shell } from '../../texts/shell.ts'
import classes from './organization.module.css'
import { PlanDialog } from './PlanDialog.tsx'
import { PlanRow } from './PlanRow.tsx'

/** The default first, those that are switched off last. */
const rank = ({ isDefault, status }: Plan): number => (isDefault ? 0 : status === 'active' ? 1 : 2)

export function PlansPage() {
  const organizationId = useOrganizationId()
  const { data: plans, error, refetch } = useQuery({ ...plansQuery(organizationId), staleTime: 0 })
  const [open, setOpen] = useState<Plan | 'new'>()
  if (error && asProblem(error).status === 404) return <NotFound />
  const sorted = plans?.toSorted((a, b) => rank(a) - rank(b))
  return (
    <PageBody size="narrow">
      <PageHeader title={shell.pages.plans} description={text.plansHint}>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
          {text.newPlan}
        </Button>
      </PageHeader>
      {sorted === undefined ? (
        error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <RowsSkeleton rows={4} />
        )
      ) : sorted.length === 0 ? (
        <Empty icon={IconPackage} title={text.newPlan} hint={text.plansHint} />
      ) : (
        <ul className={classes.plans}>
          {sorted.map((plan) => (
            <PlanRow key={plan.id} plan={plan} edit={() => setOpen(plan)} />
          ))}
        </ul>
      )}
      <PlanDialog open={open} close={() => setOpen(undefined)} />
    </PageBody>
  )
}
