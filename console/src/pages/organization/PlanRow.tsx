// A plan in the list of plans: its limits and its actions.
import { ActionIcon, Anchor, Badge, Group, Menu, Text, Title, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { companiesOnPlanQuery, limitNames, useOrganizationId, writeOwned } from '../../api/organization.ts'
import type { Plan } from '../../api/schemas.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { number } from '../../parts/format.ts'
import { complain, notify } from '../../parts/notices.ts'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/organization.ts'
import classes from './organization.module.css'

export function PlanRow({ plan, edit }: { plan: Plan; edit: () => void }) {
  const { id, name, limits, status, isDefault } = plan
  const organizationId = useOrganizationId()
  const change = usePlanChange(plan)
  const { data: count } = useQuery(companiesOnPlanQuery(organizationId, id))
  const [isAsking, setAsking] = useState(false)
  const isOwn = plan.organizationId !== undefined
  const isOff = status === 'inactive'

  return (
    <li className={classes.plan}>
      <div className={classes.planName}>
        <Group gap={8}>
          <Title order={2} className="name">
            <bdi>{name}</bdi>
          </Title>
          {isDefault && <Badge>{text.isDefault}</Badge>}
          {isOff && <Badge color="gray">{text.off}</Badge>}
          {!isOwn && (
            <Tooltip label={text.ofAllHint}>
              <Badge color="gray">{text.ofAll}</Badge>
            </Tooltip>
          )}
        </Group>
        <Anchor component={Link} to={`/o/${organizationId}`} search={{ f: { planId: id } } as never} fz="sm" c="dimmed">
          {count === undefined ? '…' : text.companiesOnIt(count)}
        </Anchor>
      </div>
      <dl className={classes.limits}>
        {limitNames.map((limit) => (
          <div key={limit}>
            <dt>{text.limitOf[limit]}</dt>
            <dd>
              {limits[limit] === undefined ? (
                <Text span inherit fw={400} c="dimmed">
                  {text.unlimited}
                </Text>
              ) : (
                number(limits[limit])
              )}
            </dd>
          </div>
        ))}
      </dl>
      {isOwn ? (
        <PlanMenu plan={plan} change={change} edit={edit} switchOff={() => setAsking(true)} />
      ) : (
        <div style={{ width: 32 }} />
      )}
      <Confirm
        opened={isAsking}
        close={() => setAsking(false)}
        title={text.switchOffTitle(shortName(name))}
        action={text.switchOff}
        isDangerous={false}
        run={() => change({ status: 'inactive' }, text.isOff(name))}
      >
        {text.switchOffHint}
      </Confirm>
    </li>
  )
}

interface PlanMenuProps {
  readonly plan: Plan
  readonly change: (body: Readonly<Record<string, unknown>>, message: string) => Promise<void>
  readonly edit: () => void
  readonly switchOff: () => void
}

function PlanMenu({ plan: { name, status, isDefault }, change, edit, switchOff }: PlanMenuProps) {
  const isOff = status === 'inactive'
  const run = (body: Readonly<Record<string, unknown>>, message: string) => () =>
    void change(body, message).catch((error) => complain(error))
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={32} aria-label={text.actionsOf(name)}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={edit}>{text.edit}</Menu.Item>
        {!isDefault && !isOff && (
          <Menu.Item onClick={run({ isDefault: true }, text.isNowDefault(name))}>{text.makeDefault}</Menu.Item>
        )}
        {isOff ? (
          <Menu.Item onClick={run({ status: 'active' }, text.isOn(name))}>{text.switchOn}</Menu.Item>
        ) : (
          !isDefault && <Menu.Item onClick={switchOff}>{text.switchOff}…</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Changes a plan and says so. */
function usePlanChange({ id }: Plan) {
  const organizationId = useOrganizationId()
  const client = useQueryClient()
  return async (body: Readonly<Record<string, unknown>>, message: string) => {
    await writeOwned(organizationId, `plans/${id}`, { method: 'PATCH', body })
    await client.invalidateQueries({ queryKey: [organizationId, 'plans'] })
    notify(message)
  }
}
