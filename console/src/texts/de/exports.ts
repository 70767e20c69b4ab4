// Texte des Exports eines ganzen Unternehmens.
import type { Translation } from '../../language.ts'
import type { text } from '../exports.ts'

export const exports: Translation<typeof text> = {
  title: 'Alle Daten exportieren',
  hint: 'Eine Datei mit den Daten dieses Unternehmens: Datensätze, Anhänge, Bestandsverlauf, eigene Tabellen, Abschlüsse und Einstellungen. Bewahren Sie sie als Kopie auf, oder ziehen Sie mit ihr auf einen anderen Server um. Sie enthält personenbezogene Daten Ihrer Kunden. Für eine Tabellenkalkulation exportieren Sie stattdessen eine Liste als CSV, etwa Bestellungen oder Abschlüsse.',
  begin: 'Alle Daten exportieren',
  files: 'Exporte',
  states: { running: 'Wird erstellt', done: 'Bereit', failed: 'Fehlgeschlagen' },
  until: (time) => `aufbewahrt bis ${time}`,
  download: 'Herunterladen',
  downloadOf: (time) => `Export vom ${time} herunterladen`,
}
