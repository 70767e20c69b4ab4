// Ausgewählte Zeilen, und was mit vielen Datensätzen zugleich geschieht.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../many.ts'

const records = (count: number): string => (count === 1 ? '1 Datensatz' : `${count.toLocaleString(locale)} Datensätze`)

const share = (done: number, all: number): string => `${done.toLocaleString(locale)} von ${all.toLocaleString(locale)}`

export const many: Translation<typeof text> = {
  bar: 'Ausgewählte Zeilen',
  selectRow: (name) => `${name} auswählen`,
  selectAll: 'Alle gezeigten Zeilen auswählen',
  selected: (count) => `${count.toLocaleString(locale)} ausgewählt`,
  selectMatching: (count) => `Alle ${count.toLocaleString(locale)} auswählen`,
  clear: 'Auswahl aufheben',
  edit: 'Bearbeiten',
  tag: 'Tags',
  delete: 'Löschen',
  export: 'Exportieren',
  progress: {
    reading: (done, all) => `Lesen: ${share(done, all)}…`,
    changing: (done, all) => `Ändern: ${share(done, all)}…`,
    deleting: (done, all) => `Löschen: ${share(done, all)}…`,
    restoring: (done, all) => `Wiederherstellen: ${share(done, all)}…`,
  },
  editTitle: (count) => `${records(count)} bearbeiten`,
  editHint: 'Jeder Datensatz bekommt diesen Wert. Leer lassen, um den Wert zu entfernen.',
  member: 'Was sich ändert',
  chooseMember: 'Wählen Sie, was sich ändern soll.',
  enterValue: 'Geben Sie einen Wert ein: Dieses Feld ist erforderlich.',
  enterTag: 'Geben Sie ein Tag ein, das hinzukommen oder wegfallen soll.',
  apply: (count) => `${records(count)} ändern`,
  tagTitle: (count) => `Tags für ${records(count)}`,
  addTags: 'Tags hinzufügen',
  removeTags: 'Tags entfernen',
  tagsHint: 'Tag eingeben und Enter drücken',
  deleteTitle: (count) => `${records(count)} löschen?`,
  deleteAll: (count) => `${records(count)} löschen`,
  deleteSoft: 'Listen und Suche zeigen sie nicht mehr. Sie können sie wiederherstellen.',
  deleteHard: 'Sie werden endgültig gelöscht; ihr letzter Stand bleibt 30 Tage in den Ereignissen.',
  refers: 'Datensätze, die auf sie verweisen, bleiben bestehen und verweisen dann auf Gelöschtes.',
  changed: (count) => `${records(count)} geändert.`,
  unchanged: 'Kein Datensatz musste geändert werden.',
  deleted: (count) => `${records(count)} gelöscht.`,
  undone: (count) => `${records(count)} wiederhergestellt.`,
  failedTitle: (count, done) => `${records(count)} ${count === 1 ? 'konnte' : 'konnten'} nicht ${done} werden`,
  outcomes: { reading: 'gelesen', changing: 'geändert', deleting: 'gelöscht', restoring: 'wiederhergestellt' },
  failedHint: 'Die übrigen sind erledigt. Diese bleiben ausgewählt.',
  stoppedTitle: 'Unterbrochen',
  stopped: (done) => (done === 0 ? 'Angehalten vor dem ersten Datensatz.' : `Angehalten nach: ${records(done)}.`),
  record: 'Datensatz',
  reason: 'Grund',
  gone: 'Es gibt ihn nicht mehr.',
  close: 'Schließen',
}
