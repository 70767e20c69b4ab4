// Texts of two-step authentication on the user's own page.
import { translated } from '../language.ts'
export const text = translated('second-factor', {
  title: 'Two-step authentication',
  hint: 'A sign-in then needs your password and a code of an app on your phone. Someone who learns your password cannot sign in with it alone.',
  off: 'Off',
  on: 'On',
  offHint: 'You sign in without a code.',
  since: (time: string) => `Since ${time}`,
  codesLeft: (count: number) =>
    count === 0
      ? 'No recovery codes left. Turn it off and on again to get new ones.'
      : `${count} recovery ${count === 1 ? 'code' : 'codes'} left`,
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  setUpTitle: 'Turn on two-step authentication',
  passwordFor: 'Required to set up an app.',
  next: 'Continue',
  scan: 'Scan this code with an authenticator app, such as Google Authenticator, 1Password or Aegis. Then enter the six digits that it shows.',
  qr: 'QR code for the authenticator app',
  secret: 'Or type this key into the app:',
  key: 'Key',
  endsOthers: 'Turning it on signs you out everywhere else.',
  codesTitle: 'Keep your recovery codes',
  codesHint:
    'If you lose your phone, each of these codes signs you in once. They are shown only now: print them or keep them in a password manager.',
  codes: 'Recovery codes',
  copyCodes: 'Copy codes',
  copied: 'Copied',
  saved: 'I have saved them',
  turnedOn: 'Two-step authentication is on. You are signed out everywhere else.',
  turnOffTitle: 'Turn off two-step authentication?',
  turnOffHint: 'Your password alone signs you in from then on. Your recovery codes stop working.',
  turnedOff: 'Two-step authentication is off.',
} as const)
