// Single Sign-on: die Schaltfläche, die Seite nach der Rückkehr vom Anbieter, und die Verknüpfungen im Profil.
import type { Translation } from '../../language.ts'
import type { text } from '../sso.ts'

export const sso: Translation<typeof text> = {
  continueWith: (provider) => `Weiter mit ${provider}`,
  waiting: (provider) => `Zurück von ${provider}. Einen Moment.`,
  failedTitle: 'Das hat nicht geklappt',
  refused: {
    access_denied: (provider) =>
      `${provider} hat Sie nicht angemeldet: Sie haben abgebrochen, oder Ihr Konto dort darf diesen Dienst nicht verwenden.`,
    temporarily_unavailable: (provider) =>
      `${provider} ist zurzeit nicht verfügbar. Versuchen Sie es später noch einmal.`,
    server_error: (provider) => `Bei ${provider} gab es einen Fehler. Versuchen Sie es noch einmal.`,
  },
  refusedOtherwise: (provider, error) =>
    `Sie wurden bei ${provider} nicht angemeldet${error === undefined ? '' : ` (${error})`}. Versuchen Sie es noch einmal, oder melden Sie sich anders an.`,
  notLinked: (identity) =>
    `${identity} ist nicht mit Ihrem Konto verknüpft. Melden Sie sich mit Ihrem Passwort an, nehmen Sie die Einladung an, und verknüpfen Sie das Konto danach in Ihrem Profil.`,
  toInvitation: 'Zurück zur Einladung',
  toProfile: 'Zurück zu Ihrem Profil',
  title: 'Single Sign-on',
  hint: (provider) => `Melden Sie sich mit Ihrem Konto bei ${provider} an, statt mit dem Passwort.`,
  none: 'Noch nichts verknüpft.',
  link: (provider) => `${provider} verknüpfen`,
  linkTitle: (provider) => `${provider} verknüpfen`,
  linkHint: (identity, account) => `Danach kann sich ${identity} beim Konto ${account} anmelden.`,
  linkSignedOut: 'Sie wurden inzwischen abgemeldet. Melden Sie sich an, und verknüpfen Sie das Konto in Ihrem Profil.',
  linked: (provider) => `${provider} kann Sie jetzt anmelden.`,
  created: (time) => `Verknüpft ${time}`,
  used: (ago) => `zuletzt verwendet ${ago}`,
  unused: 'noch nicht verwendet',
  unlink: 'Verknüpfung aufheben',
  unlinkOf: (identity) => `Verknüpfung mit ${identity} aufheben`,
  unlinkTitle: (identity) => `Verknüpfung mit ${identity} aufheben?`,
  unlinkHint: 'Damit können Sie sich dann nicht mehr anmelden. Bestehende Anmeldungen bleiben.',
  unlinkAction: 'Verknüpfung aufheben',
  unlinked: (identity) => `Die Verknüpfung mit ${identity} ist aufgehoben.`,
}
