// The dialogs of the list of members: to invite, to show a link, to remove, and to give up a role.
import { Modal } from '@mantine/core'
import type { MemberLink as MadeLink, Member } from '../../api/schemas.ts'
import type { CompanyRole } from '../../api/sign-in.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { shortName } from '../../parts/short-name.ts'
import { text } from '../../texts/people.ts'
import { MemberLink } from './MemberLink.tsx'
import { MemberModal } from './MemberModal.tsx'
import { calledAs, isInvitation } from './member.ts'
import type { Tenant } from './tenant.ts'

/** The current action, and the member that it applies to. */
export type Doing =
  | { readonly what: 'add' }
  | { readonly what: 'remove'; readonly member: Member }
  | { readonly what: 'link'; readonly member: Member; readonly made: MadeLink }
  | { readonly what: 'step-down'; readonly member: Member; readonly role: CompanyRole }

interface DialogsProps {
  readonly place: Tenant
  readonly doing: Doing | undefined
  readonly stop: () => void
  readonly actions: {
    readonly refresh: () => Promise<void>
    readonly give: (member: Member, role: CompanyRole) => Promise<void>
    readonly remove: (member: Member) => Promise<void>
  }
  readonly isOwn: (member: Member) => boolean
}

export function Dialogs({ place, doing, stop, actions, isOwn }: DialogsProps) {
  const removing = doing?.what === 'remove' ? doing.member : undefined
  const isWithdrawing = removing !== undefined && isInvitation(removing)
  const steppingDown = doing?.what === 'step-down' ? doing : undefined

  return (
    <>
      {doing?.what === 'add' && <MemberModal place={place} close={stop} onAdded={() => void actions.refresh()} />}
      {doing?.what === 'link' && (
        <Modal
          opened
          onClose={stop}
          title={<span className="name">{text.linkTitle(calledAs(doing.member))}</span>}
          closeOnClickOutside={false}
        >
          <MemberLink
            path={doing.made.link}
            mailedTo={doing.made.isMailed ? doing.member.email : undefined}
            hint={isInvitation(doing.member) ? text.linkHint : `${text.passwordLinkHint} ${text.linkAgainHint}`}
            done={stop}
          />
        </Modal>
      )}
      <Confirm
        opened={removing !== undefined}
        close={stop}
        title={(isWithdrawing ? text.withdrawTitle : text.removeTitle)(removing ? shortName(calledAs(removing)) : '')}
        action={isWithdrawing ? text.withdrawAction : text.removeAction}
        run={async () => removing && actions.remove(removing)}
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
        run={async () => steppingDown && actions.give(steppingDown.member, steppingDown.role)}
      >
        {steppingDown && text.ownRoleHint(text.roles[steppingDown.role])}
      </Confirm>
    </>
  )
}
