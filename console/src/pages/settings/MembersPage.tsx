// Who can access a company, or an organization and its companies; owners manage it.
import { Anchor, Button, Modal } from '@mantine/core'
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
import { Confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/DataTable.tsx'
import { Empty } from '../../parts/Empty.tsx'
import { complain, notify } from '../../parts/notices.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { useRows } from '../../parts/rows.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/people.ts'
import { MemberLink } from './MemberLink.tsx'
import { MemberModal } from './MemberModal.tsx'
import { calledAs, changeRole, isInvitation, makeLink, membersQuery, removeMember } from './member.ts'
import { memberColumns } from './member-columns.tsx'
import { type Place, useCompanyPlace, useOrganizationPlace } from './place.ts'

export function CompanyMembersPage() {
  const place = useCompanyPlace()
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
  const place = useOrganizationPlace()
  if (place === undefined) return <NotFound />
  return (
    <Members key={place.id} place={place}>
      {text.ofOrganization}
    </Members>
  )
}

/** The current action, and the member that it applies to. */
type Doing =
  | { readonly what: 'add' }
  | { readonly what: 'remove'; readonly member: Member }
  | { readonly what: 'link'; readonly member: Member; readonly path: string }
  | { readonly what: 'step-down'; readonly member: Member; readonly role: CompanyRole }

function Members({ place, children }: { place: Place; children: ReactNode }) {
  const client = useQueryClient()
  const { user } = useSignIn()
  const list = useInfiniteQuery(membersQuery(place))
  const [doing, setDoing] = useState<Doing>()
  const { rows, count } = useRows(list)
  const isOwner = place.role === 'owner'
  const stop = () => setDoing(undefined)
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
      setDoing({ what: 'link', member, path: await makeLink(place, member.id) })
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

  const columns = memberColumns(place, user.id, {
    changeRole: (member, role) =>
      isOwn(member) ? setDoing({ what: 'step-down', member, role }) : void give(member, role).catch(complain),
    link: (member) => void showLink(member),
    remove: (member) => setDoing({ what: 'remove', member }),
  })
  const add = isOwner && (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setDoing({ what: 'add' })}>
      {text.add}
    </Button>
  )
  const removing = doing?.what === 'remove' ? doing.member : undefined
  const isWithdrawing = removing !== undefined && isInvitation(removing)
  const steppingDown = doing?.what === 'step-down' ? doing : undefined

  return (
    <PageBody>
      <PageHeader
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
      {doing?.what === 'add' && <MemberModal place={place} close={stop} onAdded={() => void refresh()} />}
      {doing?.what === 'link' && (
        <Modal
          opened
          onClose={stop}
          title={<span className="name">{text.linkTitle(calledAs(doing.member))}</span>}
          closeOnClickOutside={false}
        >
          <MemberLink
            path={doing.path}
            hint={isInvitation(doing.member) ? text.linkHint : `${text.passwordLinkHint} ${text.linkAgainHint}`}
            done={stop}
          />
        </Modal>
      )}
      <Confirm
        opened={removing !== undefined}
        close={stop}
        title={(isWithdrawing ? text.withdrawTitle : text.removeTitle)(removing ? calledAs(removing) : '')}
        action={isWithdrawing ? text.withdrawAction : text.removeAction}
        run={async () => removing && remove(removing)}
      >
        <bdi>
          {isWithdrawing
            ? text.withdrawHint
            : removing && isOwn(removing)
              ? text.removeOwnHint(place.name)
              : text.removeHint(place.name)}
        </bdi>
      </Confirm>
      <Confirm
        opened={steppingDown !== undefined}
        close={stop}
        title={text.ownRoleTitle}
        action={text.ownRoleAction}
        run={async () => steppingDown && give(steppingDown.member, steppingDown.role)}
      >
        {steppingDown && text.ownRoleHint(text.roles[steppingDown.role])}
      </Confirm>
    </PageBody>
  )
}
