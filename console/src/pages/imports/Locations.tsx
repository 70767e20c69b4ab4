// The locations of a file and the outlet of each, which can be chosen until the import is run.
import { Button, Group, Select, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useScope } from '../../api/company.ts'
import type { Import, PreviewedLocation } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/imports.ts'
import { outletsQuery, previewQuery, useImportAction } from './import-job.ts'
import { ReportTable } from './ReportTable.tsx'

export function Locations({ job, locations }: { job: Import; locations: readonly PreviewedLocation[] }) {
  const canChoose = useCanWrite() && job.state === 'ready'
  const choice = useOutlets(job, locations)
  const head = [text.location, text.outletOf].map((name) => (
    <th key={name} scope="col">
      {name}
    </th>
  ))
  return (
    <section aria-labelledby="locations">
      <Title order={2} id="locations" mb="sm">
        {text.locations}
      </Title>
      <ReportTable head={head}>
        <tbody>
          {locations.map(({ location, variants, outletId }) => (
            <tr key={location}>
              <td>
                <bdi>{location}</bdi>
                <Text size="xs" c="dimmed">
                  {text.variantsThere(variants)}
                </Text>
              </td>
              <td>
                {canChoose ? (
                  <Select
                    aria-label={text.outletFor(location)}
                    data={choice.outlets}
                    value={choice.outletAt(location) ?? null}
                    onChange={(id) => choice.choose(location, id)}
                    placeholder={text.notImported}
                    searchable={choice.outlets.length > 8}
                    clearable
                  />
                ) : outletId === undefined ? (
                  text.notImported
                ) : (
                  <RecordName many="outlets" id={outletId} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </ReportTable>
      {choice.error && <Failure error={choice.error} />}
      {canChoose && choice.isChanged && (
        <Group justify="flex-end" mt="sm">
          <Button variant="default" onClick={choice.apply} loading={choice.isApplying}>
            {text.checkAgain}
          </Button>
        </Group>
      )}
    </section>
  )
}

/** The outlets of a company, and the one that is chosen for each location. */
function useOutlets(job: Import, locations: readonly PreviewedLocation[]) {
  const scope = useScope()
  const client = useQueryClient()
  const act = useImportAction(job)
  const [chosen, setChosen] = useState<ReadonlyMap<string, string | null>>(new Map())
  const outlets = useQuery(outletsQuery(scope)).data?.data ?? []
  const before = (location: string) => locations.find((own) => own.location === location)?.outletId
  const outletAt = (location: string) => (chosen.has(location) ? (chosen.get(location) ?? undefined) : before(location))
  const apply = useMutation({
    mutationFn: () =>
      act('check', { locations: locations.map(({ location }) => ({ location, outletId: outletAt(location) })) }),
    onSuccess: () => client.removeQueries({ queryKey: previewQuery(scope, job).queryKey.slice(0, -1) }),
  })
  return {
    outlets: outlets.map(({ id, name }) => ({ value: id, label: name ?? id })),
    outletAt,
    choose: (location: string, id: string | null) => setChosen(new Map([...chosen, [location, id]])),
    isChanged: locations.some(({ location, outletId }) => outletAt(location) !== outletId),
    apply: () => apply.mutate(),
    isApplying: apply.isPending,
    error: apply.error,
  }
}
