// What users can change about themselves: name, address, password, passkeys, two-step authentication, single sign-on, alerts, and sign-ins.
import { Alert } from '@mantine/core'
import { useSignIn } from '../../api/sign-in.ts'
import { PageBody } from '../../parts/PageBody.tsx'
import { PageHeader } from '../../parts/PageHeader.tsx'
import { text } from '../../texts/user.ts'
import { AlertSettings } from './AlertSettings.tsx'
import { Identities } from './Identities.tsx'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { SignIns } from './SignIns.tsx'

export function UserPage() {
  const { companies, organizations } = useSignIn()
  return (
    <PageBody size="narrow">
      <PageHeader title={text.title} />
      {companies.length + organizations.length === 0 && (
        <Alert color="yellow" mb="lg">
          {text.noAccess}
        </Alert>
      )}
      <ProfileForm />
      <PasswordForm />
      <Passkeys />
      <SecondFactor />
      <Identities />
      <AlertSettings />
      <SignIns />
    </PageBody>
  )
}
