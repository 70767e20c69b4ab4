// The columns of the list of members.
import { ActionIcon, Avatar, Badge, Group, Menu } from '@mantine/core'
import { IconDots, IconLink, IconUserMinus } from '@tabler/icons-react'
import type { Member } from '../../api/schemas.ts'
import type { CompanyRole } from '../../api/sign-in.ts'
import type { Column } from '../../parts/DataRow.tsx'
import { ago, date, dateTime } from '../../parts/format.ts'
import { text } from '../../texts/people.ts'
import { calledAs, isInvitation, rolesOf } from './member.ts'
import { RoleMenu } from './RoleMenu.tsx'
import type { Tenant } from './tenant.ts'

interface MemberActions {
  readonly changeRole: (member: Member, role: CompanyRole) => void
  readonly link: (member: Member) => void
  readonly remove: (member: Member) => void
}

/** `userId` is the signed-in user. */
export function memberColumns(place: Tenant, userId: string, actions: MemberActions): Column<Member>[] {
  const { timezone } = place
  const isEditor = place.writesAs === 'owner'
  return [
    {
      key: 'name',
      title: text.name,
      width: 210,
      render: (member) => (
        <Group gap={9} wrap="nowrap">
          <Avatar size={24} radius="xl" color="gray" name={calledAs(member)} alt="" />
          <bdi className="cut">{member.name ?? <span className="muted">—</span>}</bdi>
          {member.userId === userId && (
            <Badge color="gray" flex="none">
              {text.you}
            </Badge>
          )}
        </Group>
      ),
    },
    { key: 'email', title: text.email, width: 230, render: ({ email }) => <bdi>{email}</bdi> },
    {
      key: 'role',
      title: text.role,
      width: 120,
      render: (member) =>
        isEditor ? (
          <RoleMenu member={member} roles={rolesOf(place)} choose={(role) => actions.changeRole(member, role)} />
        ) : (
          text.roles[member.role]
        ),
    },
    {
      key: 'lastSignInAt',
      title: text.lastSignIn,
      width: 150,
      isBesideName: ({ state }) => state === 'invited',
      render: ({ state, lastSignInAt, expiresAt }) =>
        state === 'invited' ? (
          <Invited expiresAt={expiresAt} timezone={timezone} />
        ) : lastSignInAt === undefined ? (
          <span className="muted">{text.never}</span>
        ) : (
          <time dateTime={lastSignInAt} title={dateTime(lastSignInAt, timezone)}>
            {ago(lastSignInAt)}
          </time>
        ),
    },
    {
      key: 'createdAt',
      title: text.added,
      width: 122,
      render: ({ createdAt }) => (
        <time dateTime={createdAt} title={dateTime(createdAt, timezone)}>
          {date(createdAt, timezone)}
        </time>
      ),
    },
    ...(isEditor ? [actionColumn(userId, actions)] : []),
  ]
}

/** The status of an invitation, or that a member has no password yet. */
function Invited({ expiresAt, timezone }: { expiresAt: string | undefined; timezone: string | undefined }) {
  if (expiresAt === undefined) return <Badge color="yellow">{text.noPassword}</Badge>
  const isOver = Date.parse(expiresAt) <= Date.now()
  return (
    <Badge color={isOver ? 'gray' : 'yellow'} title={text.invitedUntil(dateTime(expiresAt, timezone))}>
      {isOver ? text.invitationExpired : text.invited}
    </Badge>
  )
}

const actionColumn = (userId: string, { link, remove }: MemberActions): Column<Member> => ({
  key: 'actions',
  title: text.actionsTitle,
  isTitleHidden: true,
  width: 60,
  align: 'right',
  render: (member) => (
    <Menu width={220}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={text.actions(calledAs(member))}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {/* Users change their own password with their current one. */}
        {member.userId !== userId && (
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => link(member)}>
            {isInvitation(member) ? text.linkFirst : text.linkAgain}
          </Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<IconUserMinus size={16} />} onClick={() => remove(member)}>
          {isInvitation(member) ? text.withdraw : text.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  ),
})
