// Which alerts a user gets, by kind, in the bell and by mail.
import { Skeleton, Switch, Text, VisuallyHidden } from '@mantine/core'
import { queryOptions, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from '../../api/request.ts'
import type { AlertSettings as Settings } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { complain } from '../../parts/notices.ts'
import { text } from '../../texts/alerts.ts'
import classes from './AlertSettings.module.css'
import { Section } from './Section.tsx'

const path = '/v1/console/alert-settings'
const settingsQuery = queryOptions({
  queryKey: ['alert-settings'],
  queryFn: ({ signal }) => get<Settings>('person', path, { signal }),
})

const kinds = ['webhook', 'import', 'stock', 'session'] as const

/** A switch, and its new state. */
interface Choice {
  readonly kind: (typeof kinds)[number]
  readonly way: 'bell' | 'mail'
  readonly isOn: boolean
}

export function AlertSettings() {
  const { data, error, refetch } = useQuery(settingsQuery)
  return (
    <Section id="alerts" title={text.title} hint={text.settingsHint}>
      {error && data === undefined && <Failure error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton h={200} aria-busy="true" />}
      {data && <Choices settings={data} />}
    </Section>
  )
}

function Choices({ settings }: { settings: Settings }) {
  const client = useQueryClient()
  // One after the other; until it is answered, a choice is shown over what the server has.
  const change = useMutation({
    mutationKey: settingsQuery.queryKey,
    scope: { id: path },
    mutationFn: ({ kind, way, isOn }: Choice) =>
      get<Settings>('person', path, { method: 'PATCH', body: { [kind]: { [way]: isOn } } }),
    onSuccess: (next) => client.setQueryData(settingsQuery.queryKey, next),
    onError: (error) => complain(error),
  })
  const choices = useMutationState({
    filters: { mutationKey: settingsQuery.queryKey, status: 'pending' },
    select: ({ state }) => state.variables as Choice,
  })
  const isOn = (kind: Choice['kind'], way: Choice['way']) =>
    choices.findLast((choice) => choice.kind === kind && choice.way === way)?.isOn ?? settings[kind][way]
  const ways = settings.isMailOn ? (['bell', 'mail'] as const) : (['bell'] as const)
  const label = { bell: text.inBell, mail: text.byMail }
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{text.kind}</VisuallyHidden>
            </th>
            {ways.map((way) => (
              <th key={way} scope="col" className={classes.way}>
                {label[way]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">
                {text.kinds[kind].name}
                <Text size="xs" c="dimmed" fw={400}>
                  {text.kinds[kind].hint}
                </Text>
              </th>
              {ways.map((way) => (
                <td key={way} className={classes.way}>
                  <Switch
                    aria-label={text.switchOf(text.kinds[kind].name, label[way])}
                    checked={isOn(kind, way)}
                    onChange={(event) => change.mutate({ kind, way, isOn: event.currentTarget.checked })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!settings.isMailOn && (
        <Text size="sm" c="dimmed" mt="sm">
          {text.noMail}
        </Text>
      )}
    </>
  )
}
