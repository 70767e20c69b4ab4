// Rollen: die Berechtigungen von Mitarbeitern an der Kasse.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../roles.ts'

export const roles: Translation<typeof text> = {
  area: 'Bereich',
  columns: { view: 'Ansehen', create: 'Erstellen', edit: 'Bearbeiten', delete: 'Löschen' },
  special: 'Besonderes',
  others: 'Andere',
  granted: (granted, all) => `${granted.toLocaleString(locale)} von ${all.toLocaleString(locale)} erlaubt`,
  allOf: (area) => `Alles in ${area}`,
  isGranted: (name) => `${name}: erlaubt`,
  isDenied: (name) => `${name}: nicht erlaubt`,
  grantAll: 'Alles erlauben',
  denyAll: 'Alles entfernen',
  none: 'Diese Rolle nennt keine Berechtigungen.',
  asList: 'Als Liste bearbeiten',
  asListHint:
    'Die Berechtigungen, wie Kassen sie lesen, mit Ids. Ergänzen Sie, was Ihre Kassen kennen und der Tabelle oben fehlt.',
}
