// Die Anmeldung in zwei Schritten, auf der Seite der eigenen Person.
import type { Translation } from '../../language.ts'
import type { text } from '../second-factor.ts'

export const secondFactor: Translation<typeof text> = {
  title: 'Anmeldung in zwei Schritten',
  hint: 'Eine Anmeldung braucht dann Ihr Passwort und einen Code einer App auf Ihrem Telefon. Wer nur Ihr Passwort erfährt, kann sich nicht anmelden.',
  off: 'Aus',
  on: 'An',
  offHint: 'Sie melden sich ohne Code an.',
  since: (time) => `Seit ${time}`,
  codesLeft: (count) =>
    count === 0
      ? 'Keine Wiederherstellungscodes mehr. Schalten Sie aus und wieder ein, um neue zu bekommen.'
      : `Noch ${count} ${count === 1 ? 'Wiederherstellungscode' : 'Wiederherstellungscodes'}`,
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  setUpTitle: 'Anmeldung in zwei Schritten einschalten',
  passwordFor: 'Nötig, um eine App einzurichten.',
  next: 'Weiter',
  scan: 'Scannen Sie diesen Code mit einer Authenticator-App wie Google Authenticator, 1Password oder Aegis. Geben Sie dann die sechs Ziffern ein, die sie zeigt.',
  qr: 'QR-Code für die Authenticator-App',
  secret: 'Oder tippen Sie diesen Schlüssel in die App:',
  key: 'Schlüssel',
  endsOthers: 'Das Einschalten meldet Sie überall sonst ab.',
  codesTitle: 'Bewahren Sie Ihre Wiederherstellungscodes auf',
  codesHint:
    'Wenn Sie Ihr Telefon verlieren, meldet jeder dieser Codes Sie einmal an. Sie werden nur jetzt gezeigt: Drucken Sie sie, oder legen Sie sie in einen Passwortmanager.',
  codes: 'Wiederherstellungscodes',
  copyCodes: 'Codes kopieren',
  copied: 'Kopiert',
  saved: 'Ich habe sie aufbewahrt',
  turnedOn: 'Die Anmeldung in zwei Schritten ist an. Überall sonst sind Sie abgemeldet.',
  turnOffTitle: 'Anmeldung in zwei Schritten ausschalten?',
  turnOffHint: 'Ab dann meldet Sie Ihr Passwort allein an. Ihre Wiederherstellungscodes gelten nicht mehr.',
  turnedOff: 'Die Anmeldung in zwei Schritten ist aus.',
}
