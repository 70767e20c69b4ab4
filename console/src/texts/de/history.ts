// Der Verlauf eines Datensatzes.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../history.ts'

export const history: Translation<typeof text> = {
  details: 'Einzelheiten',
  title: 'Verlauf',
  list: 'Änderungen, neueste zuerst',
  happened: { created: 'Erstellt', updated: 'Geändert', deleted: 'Gelöscht' },
  of: (what, name) => `${name}: ${what.toLowerCase()}`,
  by: (name) => `von ${name}`,
  key: 'API-Schlüssel',
  deletedKey: 'einem gelöschten API-Schlüssel',
  formerUser: 'einem früheren Mitglied',
  organizationKey: 'einem API-Schlüssel der Organisation',
  member: 'einem Mitglied ohne Namen',
  operator: 'dem Betreiber, auf der Befehlszeile',
  service: 'dem Dienst',
  more: (count) => (count === 1 ? 'Ein weiteres Feld' : `${count} weitere Felder`),
  removed: 'Entfernt',
  added: 'Hinzugefügt',
  entries: (count) => (count === 1 ? '1 Eintrag' : `${count.toLocaleString(locale)} Einträge`),
  changed: 'geändert',
  older: 'Frühere Änderungen zeigen',
  kept: 'Änderungen werden 30 Tage aufbewahrt.',
  keptSince: (created) =>
    `Änderungen werden 30 Tage aufbewahrt. Erstellt ${created}; frühere Änderungen werden nicht gezeigt.`,
  cut: (count) =>
    `Nur die ersten ${count.toLocaleString(locale)} Änderungen dieser Tage werden gezeigt, nicht die neuesten.`,
  partsLeft: (count) =>
    count === 1
      ? 'Änderungen einer weiteren Variante werden nicht gezeigt.'
      : `Änderungen von ${count.toLocaleString(locale)} weiteren Varianten werden nicht gezeigt.`,
  none: 'Keine Änderungen in den letzten 30 Tagen',
}
