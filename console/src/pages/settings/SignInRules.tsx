// What owners require of sign-ins to their company or organization: a second factor, switched on and off.
import { Skeleton, Switch } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../../api/request.ts'
import type { SignInRules as Rules } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { complain, notify } from '../../parts/notices.ts'
import { text } from '../../texts/sign-in-rules.ts'
import type { Tenant } from './tenant.ts'

const pathOf = ({ root }: Tenant) => `${root}/sign-in-rules`

const rulesQuery = (place: Tenant) =>
  queryOptions({
    queryKey: [place.id, 'access', 'sign-in-rules'],
    queryFn: ({ signal }) => get<Rules>(place.scope, pathOf(place), { signal }),
  })

export function SignInRules({ place }: { place: Tenant }) {
  const client = useQueryClient()
  const query = rulesQuery(place)
  const { data, error, refetch } = useQuery(query)
  const [isAsking, setAsking] = useState(false)

  async function change(requiresSecondFactor: boolean) {
    const body = { requiresSecondFactor }
    client.setQueryData(query.queryKey, await get<Rules>(place.scope, pathOf(place), { method: 'PATCH', body }))
    notify(requiresSecondFactor ? text.isRequired : text.isOptional)
  }

  const more = !place.isCompany ? text.allCompanies : data?.isRequiredByOrganization ? text.byOrganization : ''
  return (
    <Card title={text.title}>
      {data === undefined && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton h={44} />)}
      {data && (
        <Switch
          label={text.required}
          description={`${text.requiredHint} ${more}`.trim()}
          checked={data.requiresSecondFactor}
          disabled={place.writesAs !== 'owner'}
          onChange={(event) => (event.currentTarget.checked ? setAsking(true) : void change(false).catch(complain))}
        />
      )}
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={text.requireTitle}
        action={text.requireAction}
        isDangerous={false}
        run={() => change(true)}
      >
        {text.requireHint}
      </Confirm>
    </Card>
  )
}
