// The details of a company, for its owners to change.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { companyQuery, useCompanyId, useScope } from '../../api/company.ts'
import { requestVersioned, type Versioned } from '../../api/records.ts'
import { signInQuery } from '../../api/sign-in.ts'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { withInputs } from '../../parts/form-inputs.ts'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { useVersionedForm } from '../../parts/versioned-form.ts'
import { text } from '../../texts/company.ts'
import { CompanyCards, ownMembers } from '../organization/CompanyFields.tsx'

const path = '/v1/company'
const members = ownMembers.map((name) => ({ name, schema: {} }))

const versionedQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'company', 'versioned'],
    queryFn: ({ signal }) => requestVersioned({ companyId }, path, { signal }),
  })

export function CompanyForm() {
  const { data, error, refetch } = useQuery(versionedQuery(useCompanyId()))
  if (data === undefined) return <PageWaiting error={error} retry={refetch} />
  return <Form current={data} />
}

function Form({ current }: { current: Versioned }) {
  const scope = useScope()
  const { companyId } = scope
  const client = useQueryClient()
  const form = withInputs(
    useVersionedForm({
      versioned: current,
      members,
      read: () => requestVersioned(scope, path),
      write: (body, over) =>
        requestVersioned(scope, path, { method: 'PATCH', body, headers: over ? { 'if-match': over.etag } : {} }),
      onSaved: (saved) => {
        client.setQueryData(versionedQuery(companyId).queryKey, saved)
        // Its name is in the menu, its currency and time zone in every amount and date, and its days in reports.
        void client.invalidateQueries({ queryKey: companyQuery(companyId).queryKey })
        void client.invalidateQueries({ queryKey: [companyId, 'reports'] })
        void client.invalidateQueries({ queryKey: signInQuery.queryKey })
      },
    }),
  )
  return (
    <FormFrame form={form} submit={text.save}>
      <CompanyCards form={form} isOwn title={text.about} />
    </FormFrame>
  )
}
