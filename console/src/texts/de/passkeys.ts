// Passkeys: auf der Seite der Anmeldung, und auf der Seite der eigenen Person.
import type { Translation } from '../../language.ts'
import type { text } from '../passkeys.ts'

export const passkeys: Translation<typeof text> = {
  signIn: 'Mit einem Passkey anmelden',
  cancelled: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  title: 'Passkeys',
  hint: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an, statt mit Passwort und Code. Ein Passkey gilt nur auf dieser Website; eine gefälschte Seite kann ihn nicht verlangen.',
  unsupported:
    'Dieser Browser kann hier keine Passkeys verwenden. Öffnen Sie die Konsole über HTTPS unter ihrem Domainnamen oder unter localhost, in einem aktuellen Browser.',
  none: 'Noch keine Passkeys',
  noneHint: 'Ihr Gerät oder Passwortmanager bewahrt ihn auf.',
  add: 'Passkey hinzufügen',
  addTitle: 'Passkey hinzufügen',
  addHint: 'Ihr Browser fragt dann, wo er aufbewahrt wird.',
  passwordFor: 'Nötig, um einen Passkey hinzuzufügen.',
  name: 'Name',
  missingName: 'Geben Sie einen Namen ein.',
  nameHint: 'Wo Sie ihn aufbewahren: „Blaues Telefon“, „Passwortmanager“.',
  next: 'Weiter',
  added: (name) => `${name} kann Sie jetzt anmelden.`,
  notMade: 'Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal.',
  failed: 'Der Browser konnte keinen Passkey erstellen. Vielleicht hat er für dieses Konto schon einen.',
  synced: 'Synchronisiert',
  created: (time) => `Hinzugefügt ${time}`,
  used: (ago) => `zuletzt verwendet ${ago}`,
  unused: 'noch nicht verwendet',
  rename: 'Umbenennen…',
  renameTitle: (name) => `${name} umbenennen`,
  save: 'Speichern',
  remove: 'Entfernen…',
  actions: (name) => `Aktionen für ${name}`,
  removeTitle: (name) => `${name} entfernen?`,
  removeHint:
    'Er kann Sie nicht mehr anmelden. Ihr Gerät bietet ihn vielleicht weiterhin an, bis Sie ihn auch dort entfernen.',
  removeAction: 'Passkey entfernen',
  removed: (name) => `${name} wurde entfernt.`,
}
