// Texts of single sign-on: the button, the page to which the provider sends browsers back, and linked identities under the profile.
import { translated } from '../language.ts'
export const text = translated('sso', {
  continueWith: (provider: string) => `Continue with ${provider}`,
  waiting: (provider: string) => `Back from ${provider}. One moment.`,
  failedTitle: 'That did not work',
  refused: {
    access_denied: (provider: string) =>
      `${provider} did not let you in: you cancelled, or your account there may not use this service.`,
    temporarily_unavailable: (provider: string) => `${provider} is not available at the moment. Try again later.`,
    server_error: (provider: string) => `${provider} had an error. Try again.`,
  },
  refusedOtherwise: (provider: string, error: string | undefined) =>
    `You were not signed in at ${provider}${error === undefined ? '' : ` (${error})`}. Try again, or sign in another way.`,
  notLinked: (identity: string) =>
    `${identity} is not linked to your account. Sign in with your password, accept the invitation, and then link it under your profile.`,
  toInvitation: 'Back to the invitation',
  toProfile: 'Back to your profile',
  title: 'Single sign-on',
  hint: (provider: string) => `Sign in with your account at ${provider}, instead of your password.`,
  none: 'Nothing linked yet.',
  link: (provider: string) => `Link ${provider}`,
  linkTitle: (provider: string) => `Link ${provider}`,
  linkHint: (identity: string, account: string) => `After linking, ${identity} can sign in to the account ${account}.`,
  linkSignedOut: 'You have been signed out meanwhile. Sign in, and link it under your profile.',
  linked: (provider: string) => `${provider} can sign you in now.`,
  created: (time: string) => `Linked ${time}`,
  used: (ago: string) => `last used ${ago}`,
  unused: 'not used yet',
  unlink: 'Unlink',
  unlinkOf: (identity: string) => `Unlink ${identity}`,
  unlinkTitle: (identity: string) => `Unlink ${identity}?`,
  unlinkHint: 'It cannot sign you in any more. You stay signed in elsewhere.',
  unlinkAction: 'Unlink',
  unlinked: (identity: string) => `${identity} was unlinked.`,
} as const)
