// Die Seite der eigenen Person.
import type { Translation } from '../../language.ts'
import type { text } from '../user.ts'

export const user: Translation<typeof text> = {
  title: 'Ihr Profil',
  noAccess: 'Sie sind in keinem Unternehmen Mitglied. Bitten Sie einen Inhaber oder den Betreiber um eine Einladung.',
  profile: 'Profil',
  profileHint: 'Wie andere Sie sehen, und die Adresse, mit der Sie sich anmelden.',
  name: 'Name',
  email: 'E-Mail',
  emailHint:
    'Damit melden Sie sich an. Links für ein neues Passwort und Hinweise gehen dorthin, wenn dieser Dienst E-Mails sendet.',
  currentPassword: 'Jetziges Passwort',
  noPassword:
    'Ihr Konto hat kein Passwort. Liegt Ihre Anmeldung mehr als zehn Minuten zurück, melden Sie sich zuerst ab und wieder an.',
  currentPasswordFor: 'Nötig, um Ihre E-Mail-Adresse zu ändern.',
  password: 'Passwort',
  passwordHint: 'Eine Änderung meldet Sie überall sonst ab.',
  missingPassword: 'Geben Sie ein neues Passwort ein.',
  changePassword: 'Passwort ändern',
  choosePassword: 'Passwort wählen',
  save: 'Speichern',
  saved: 'Gespeichert',
  passwordSaved: 'Ihr Passwort wurde geändert. Überall sonst sind Sie abgemeldet.',
  signIns: 'Wo Sie angemeldet sind',
  signInsHint:
    'Melden Sie jeden Browser ab, den Sie nicht kennen oder nicht mehr verwenden. Hat sich jemand anders angemeldet, ändern Sie Ihr Passwort.',
  thisOne: 'Dieser Browser',
  seen: (ago) => `Gesehen ${ago}`,
  now: 'Jetzt aktiv',
  since: (time) => `angemeldet ${time}`,
  signOut: 'Abmelden',
  signOutOf: (browser, address) => `${browser} unter ${address} abmelden`,
  signedOut: (browser) => `${browser} wurde abgemeldet.`,
  signOutOthers: 'Überall sonst abmelden',
  signOutOthersTitle: 'Überall sonst abmelden?',
  signOutOthersHint: (count) =>
    `${count === 1 ? 'Eine andere Anmeldung endet' : `${count} andere Anmeldungen enden`} sofort. Hier bleiben Sie angemeldet.`,
  signedOutOthers: 'Sie sind jetzt nur hier angemeldet.',
  unknownBrowser: 'Unbekannter Browser',
  on: (browser, system) => `${browser} auf ${system}`,
}
