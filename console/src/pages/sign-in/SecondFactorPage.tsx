// The page for people without a second factor where one is required: they set one up, or sign in with the one that they have.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { signInQuery, useSignIn } from '../../api/sign-in.ts'
import { Failure } from '../../parts/Failure.tsx'
import { PasskeyButton } from '../../parts/PasskeyButton.tsx'
import { hasPasskeys } from '../../parts/passkeys.ts'
import { SsoButton } from '../../parts/SsoButton.tsx'
import { useSignOut } from '../../shell/sign-out.ts'
import { text as passkeyText } from '../../texts/passkeys.ts'
import { text } from '../../texts/sign-in-rules.ts'
import { identitiesQuery } from '../user/Identities.tsx'
import { PasskeyAdd } from '../user/PasskeyAdd.tsx'
import { passkeysQuery } from '../user/Passkeys.tsx'
import { secondFactorQuery } from '../user/SecondFactor.tsx'
import { SecondFactorSetup } from '../user/SecondFactorSetup.tsx'
import { destinationOf, useBegin } from './begin.ts'
import { FormSkeleton, Frame } from './Frame.tsx'

/** Continues at the page that the user came from, which reads everything again. */
function useGoOn(): () => Promise<void> {
  const { to } = useSearch({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== signInQuery.queryKey[0] })
    await navigate({ href: destinationOf(to), replace: true })
  }
}

/** Whether the page that the user came from is of a company; else it is of an organization. */
const useIsOfCompany = (): boolean => !/^\/(console\/)?o\//.test(useSearch({ strict: false }).to ?? '')

export function SecondFactorPage() {
  const isOfCompany = useIsOfCompany()
  const passkeys = useQuery(passkeysQuery)
  const codes = useQuery(secondFactorQuery)
  const identities = useQuery(identitiesQuery)
  if (passkeys.data !== undefined && codes.data !== undefined && identities.data !== undefined) {
    const hasIdentity = identities.data.data.some(({ isSecondFactor }) => isSecondFactor)
    return <Known {...{ hasPasskey: passkeys.data.data.length > 0, hasCodes: codes.data.isOn, hasIdentity }} />
  }
  const all = [passkeys, codes, identities]
  const error = all.find((query) => query.error !== null)?.error ?? null
  return (
    <Frame title={text.setUpTitle} hint={text.setUpHint(isOfCompany)}>
      {error === null && <FormSkeleton fields={1} />}
      {error && <Failure error={error} retry={() => void Promise.all(all.map(({ refetch }) => refetch()))} />}
      <Foot />
    </Frame>
  )
}

interface KnownProps {
  readonly hasPasskey: boolean
  readonly hasCodes: boolean
  /** An identity at the OpenID provider, whose second factor counts. */
  readonly hasIdentity: boolean
}

function Known({ hasPasskey, hasCodes, hasIdentity }: KnownProps) {
  const isOfCompany = useIsOfCompany()
  // As it was at first: codes that have just been turned on must not close the dialog that shows the recovery codes.
  const [isAgain] = useState(hasPasskey || hasCodes || hasIdentity)
  return (
    <Frame
      title={isAgain ? text.againTitle : text.setUpTitle}
      hint={(isAgain ? text.againHint : text.setUpHint)(isOfCompany)}
    >
      {isAgain ? <Again hasPasskey={hasPasskey} hasIdentity={hasIdentity} /> : <SetUp />}
      <Foot />
    </Frame>
  )
}

/** The ways to set one up. */
function SetUp() {
  const goOn = useGoOn()
  const [doing, setDoing] = useState<'passkey' | 'app'>()
  const stop = () => setDoing(undefined)
  return (
    <Stack gap="lg">
      {hasPasskeys() && (
        <Stack gap={6}>
          <Button size="md" leftSection={<IconFingerprint size={18} aria-hidden />} onClick={() => setDoing('passkey')}>
            {passkeyText.add}
          </Button>
          <Text size="sm" c="dimmed">
            {text.withPasskey}
          </Text>
        </Stack>
      )}
      <Stack gap={6}>
        <Button
          size="md"
          variant={hasPasskeys() ? 'default' : 'filled'}
          leftSection={<IconDeviceMobile size={18} aria-hidden />}
          onClick={() => setDoing('app')}
        >
          {text.withApp}
        </Button>
        <Text size="sm" c="dimmed">
          {text.withAppHint}
        </Text>
      </Stack>
      <PasskeyAdd opened={doing === 'passkey'} close={stop} added={goOn} />
      <SecondFactorSetup opened={doing === 'app'} close={stop} turnedOn={goOn} />
    </Stack>
  )
}

/** The ways to sign in with the one that the user has. */
function Again({ hasPasskey, hasIdentity }: Omit<KnownProps, 'hasCodes'>) {
  const { to } = useSearch({ strict: false })
  const begin = useBegin()
  const goOn = useGoOn()
  const signOut = useSignOut()
  const canUsePasskey = hasPasskey && hasPasskeys()
  return (
    <Stack gap="md">
      {hasPasskey && !canUsePasskey && <Text size="sm">{passkeyText.unsupported}</Text>}
      {canUsePasskey && (
        <PasskeyButton
          onSignedIn={async (signedIn) => {
            await begin(signedIn)
            await goOn()
          }}
        />
      )}
      {hasIdentity && <SsoButton purpose={{ what: 'sign-in', to }} />}
      {!canUsePasskey && !hasIdentity && (
        <Button size="md" fullWidth onClick={() => void signOut()}>
          {text.signOut}
        </Button>
      )}
      {hasPasskey && <Lost />}
    </Stack>
  )
}

const Lost = () => (
  <Text size="sm" c="dimmed">
    {text.lost}
  </Text>
)

/** Who is signed in, and the ways elsewhere. */
function Foot() {
  const { user } = useSignIn()
  const signOut = useSignOut()
  return (
    <Stack gap={4} mt="lg">
      <Text size="sm" c="dimmed" className="name">
        <bdi>{text.signedInAs(user.email)}</bdi>
      </Text>
      <Group gap="md">
        <Anchor component={Link} to="/user" size="sm">
          {text.profile}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
          {text.signOut}
        </Anchor>
      </Group>
    </Stack>
  )
}
