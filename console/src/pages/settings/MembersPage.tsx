// Who can access a company, or an organization and its companies; owners manage it.
import { Anchor, Box, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLock, IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCompany } from '../../api/company.ts'
import { asProblem } from '../../api/problem.ts'
import type { Member } from '../../api/schemas.ts'
import { type CompanyRole, signInQuery, useSignIn } from '../../api/sign-in.ts'
import { Count } from '../../parts/Count.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { complain, notify } from '../../parts/notices.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useRows } from '../../parts/rows.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/people.ts'
import { Dialogs, type Doing } from './MemberDialogs.tsx'
import { calledAs, changeRole, isInvitation, makeLink, membersQuery, removeMember } from './member.ts'
import { memberColumns } from './member-columns.tsx'
import { SignInRules } from './SignInRules.tsx'
import { type Tenant, useCompanyTenant, useOrganizationTenant } from './tenant.ts'

export function CompanyMembersPage() {
  const place = useCompanyTenant()
  const { organizationId } = useCompany()
  const organization = useSignIn().organizations.find(({ id }) => id === organizationId)
  if (place.role === 'viewer')
    return (
      <PageBody size="narrow">
        <PageHeader title={text.title} />
        <Empty icon={IconLock} title={text.forAdmins} hint={text.forAdminsHint} />
      </PageBody>
    )
  return (
    <Members key={place.id} place={place}>
      {text.ofCompany}{' '}
      {organization === undefined ? (
        text.alsoOrganizationUnnamed
      ) : (
        <>
          <bdi>{text.alsoOrganization(organization.name)}</bdi>{' '}
          <Anchor component={Link} to={`/o/${organization.id}/members`} underline="always">
            {text.theirs}
          </Anchor>
        </>
      )}
    </Members>
  )
}

export function OrganizationMembersPage() {
  const place = useOrganizationTenant()
  if (place === undefined) return <NotFound />
  return (
    <Members key={place.id} place={place}>
      {text.ofOrganization}
    </Members>
  )
}

/** What an owner does with members; `show` opens the dialog that an action needs. */
function useMemberActions(place: Tenant, show: (doing: Doing) => void) {
  const client = useQueryClient()
  const { user } = useSignIn()
  const refresh = () => client.invalidateQueries({ queryKey: membersQuery(place).queryKey })
  const isOwn = ({ userId }: Member) => userId === user.id

  async function give(member: Member, role: CompanyRole) {
    await changeRole(place, member.id, role)
    await refresh()
    if (isOwn(member)) return client.invalidateQueries({ queryKey: signInQuery.queryKey })
    const id = notifications.show({
      color: 'teal',
      message: (
        <>
          {text.roleChanged(calledAs(member), text.roles[role])}{' '}
          <Anchor
            component="button"
            type="button"
            onClick={() => {
              notifications.hide(id)
              void changeRole(place, member.id, member.role).then(refresh, complain)
            }}
          >
            {text.undo}
          </Anchor>
        </>
      ),
    })
  }

  async function showLink(member: Member) {
    try {
      show({ what: 'link', member, made: await makeLink(place, member.id) })
      await refresh()
    } catch (error) {
      complain(error)
    }
  }

  async function remove(member: Member) {
    try {
      await removeMember(place, member.id)
    } catch (error) {
      if (asProblem(error).status !== 404) throw error
    }
    // The user has removed their own access, so the pages restart.
    if (isOwn(member)) return window.location.assign('/console/')
    notify((isInvitation(member) ? text.withdrawn : text.removed)(calledAs(member)))
    await refresh()
  }

  return { userId: user.id, isOwn, refresh, give, showLink, remove }
}

function Members({ place, children }: { place: Tenant; children: ReactNode }) {
  const list = useInfiniteQuery(membersQuery(place))
  const [doing, setDoing] = useState<Doing>()
  const { rows, count } = useRows(list)
  const isOwner = place.role === 'owner'
  const { userId, isOwn, ...actions } = useMemberActions(place, setDoing)
  const columns = memberColumns(place, userId, {
    changeRole: (member, role) =>
      isOwn(member) ? setDoing({ what: 'step-down', member, role }) : void actions.give(member, role).catch(complain),
    link: (member) => void actions.showLink(member),
    remove: (member) => setDoing({ what: 'remove', member }),
  })
  const add = place.writesAs === 'owner' && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setDoing({ what: 'add' })}>
      {text.add}
    </Button>
  )
  return (
    <PageBody>
      <PageHeader
        guide="people"
        title={text.title}
        description={
          <>
            {children} {!isOwner && text.ownersOnly}
          </>
        }
        aside={<Count of={count} />}
      >
        {add}
      </PageHeader>
      <DataTable
        label={text.title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        fits
        list={list}
        empty={
          <Empty icon={IconUsersGroup} title={text.emptyTitle} hint={text.empty}>
            {add}
          </Empty>
        }
      />
      {isOwner && !list.isLoadingError && (
        <Box mt="lg">
          <SignInRules place={place} />
        </Box>
      )}
      <Dialogs {...{ place, doing, actions, isOwn }} stop={() => setDoing(undefined)} />
    </PageBody>
  )
}
