// Texts of a required second factor: the switch of owners, and the page for people who have none yet.
import { translated } from '../language.ts'

const place = (isCompany: boolean): string =>
  isCompany ? 'This company or its organization' : 'This organization, or one of its companies,'

export const text = translated('sign-in-rules', {
  title: 'Sign-in',
  required: 'Require a second factor',
  requiredHint:
    'Members sign in with a passkey, or with a code of an authenticator app besides the password. API keys are not affected.',
  byOrganization: 'The organization requires it in all of its companies.',
  allCompanies: 'It applies to all companies of the organization.',
  requireTitle: 'Require a second factor?',
  requireHint:
    'Members without one are asked to set one up, and cannot work here until they have. This takes effect immediately, also for people who are already signed in. Review API keys and open invitations: existing ones still work.',
  requireAction: 'Require it',
  isRequired: 'A second factor is now required.',
  isOptional: 'A second factor is now optional.',
  setUpTitle: 'Protect your account',
  setUpHint: (isCompany: boolean) =>
    `${place(isCompany)} requires a second factor: more than a password that others could learn. Set one up to continue.`,
  withPasskey: 'Fingerprint, face or screen lock of your device, instead of the password.',
  withApp: 'Use an authenticator app',
  withAppHint: 'A code of an app on your phone, after the password.',
  againTitle: 'Sign in with your second factor',
  againHint: (isCompany: boolean) => `${place(isCompany)} requires a second factor, and you signed in without yours.`,
  lost: 'Lost the device with your passkey? The operator of this service can remove the passkey.',
  signedInAs: (email: string) => `Signed in as ${email}.`,
  profile: 'Your profile',
  signOut: 'Sign out',
} as const)
