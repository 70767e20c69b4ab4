// The details of a company, for its owners to change.
import { SimpleGrid, Stack } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { companyQuery, useCompanyId, useWhose } from '../../api/company.ts'
import type { RecordData, Versioned } from '../../api/records.ts'
import { request } from '../../api/request.ts'
import { signInQuery } from '../../api/sign-in.ts'
import { Card } from '../../parts/Card.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import { withInputs } from '../../parts/form-inputs.ts'
import { PageWaiting } from '../../parts/PageWaiting.tsx'
import { useVersionedForm } from '../../parts/versioned-form.ts'
import { text } from '../../texts/company.ts'
import { AddressFields, ContactFields, EmailInput, NameInput, PlaceFields } from '../organization/CompanyFields.tsx'

const path = '/v1/company'
const members = ['name', 'email', 'phone', 'industry', 'logo', 'country', 'currency', 'timezone', 'address'].map(
  (name) => ({ name, schema: {} }),
)

interface Change {
  readonly method: 'PATCH'
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
}

/** Reads the company, or changes it, with its version. */
async function versioned(companyId: string, options: Change | { readonly signal?: AbortSignal } = {}) {
  const { data, headers } = await request<RecordData>({ companyId }, path, options)
  return { record: data, etag: headers.get('etag') ?? '' }
}

const versionedQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'company', 'versioned'],
    queryFn: ({ signal }) => versioned(companyId, { signal }),
  })

export function CompanyForm() {
  const { data, error, refetch } = useQuery(versionedQuery(useCompanyId()))
  if (data === undefined) return <PageWaiting error={error} retry={refetch} />
  return <Form current={data} />
}

function Form({ current }: { current: Versioned }) {
  const { companyId } = useWhose()
  const client = useQueryClient()
  const form = withInputs(
    useVersionedForm({
      ...{ versioned: current, members },
      read: () => versioned(companyId),
      write: (body, over) =>
        versioned(companyId, { method: 'PATCH', body, headers: over ? { 'if-match': over.etag } : {} }),
      onSaved: (saved) => {
        client.setQueryData(versionedQuery(companyId).queryKey, saved)
        // Its name is in the menu, and its currency and time zone in every amount and date.
        void client.invalidateQueries({ queryKey: companyQuery(companyId).queryKey })
        void client.invalidateQueries({ queryKey: signInQuery.queryKey })
      },
    }),
  )
  return (
    <FormFrame form={form} submit={text.save}>
      <Card title={text.about}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
            <NameInput form={form} />
            <EmailInput form={form} />
          </SimpleGrid>
          <ContactFields form={form} isOwn />
        </Stack>
      </Card>
      <Card title={text.place}>
        <Stack gap="sm">
          <PlaceFields form={form} />
          <AddressFields form={form} />
        </Stack>
      </Card>
    </FormFrame>
  )
}
