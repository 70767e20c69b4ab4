// What somebody may change of themselves: name, address, password, and where they are signed in.
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { text } from '../../texts/user.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SignIns } from './SignIns.tsx'

export function UserPage() {
  return (
    <PageBody size="narrow">
      <PageHeader title={text.title} />
      <ProfileForm />
      <PasswordForm />
      <SignIns />
    </PageBody>
  )
}
