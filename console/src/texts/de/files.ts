// Das Hochladen von Dateien, und die Dateien von Anhängen.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../files.ts'

export const files: Translation<typeof text> = {
  broken:
    'Die Verbindung brach ab, bevor die Datei ganz ankam. Es wurde nichts gespeichert; laden Sie die Datei noch einmal hoch.',
  dropNow: 'Datei ablegen',
  several: (count) => `${count.toLocaleString(locale)} Dateien wurden abgelegt, und keine wurde hochgeladen`,
  oneAtATime: 'Legen Sie eine Datei nach der anderen ab.',
  choose: 'Datei wählen',
  sending: (name) => `${name} wird hochgeladen`,
  progress: 'Fortschritt',
  of: (sent, all) => `${sent} von ${all}`,
  cancel: 'Abbrechen',
  another: 'Andere Datei wählen',
  isEmpty: 'Die Datei ist leer.',
  title: 'Datei',
  drop: 'Datei hier ablegen',
  dropNew: 'Datei hier ablegen, um sie hinzuzufügen',
  hint: 'Ein Bild, ein PDF oder eine andere Datei mit höchstens 25 MB.',
  refused: 'Die Datei wurde nicht hochgeladen',
  tooLarge: (size) => `Die Datei hat ${size}; möglich sind 25 MB.`,
  none: 'Keine Datei hochgeladen.',
  picture: (name) => `Bild von ${name}`,
  open: 'Öffnen',
  download: 'Herunterladen',
  replace: 'Ersetzen',
  remove: 'Datei entfernen',
  removeHint: 'Der Anhang bleibt. Die Datei lässt sich nicht wiederherstellen.',
  removed: 'Datei entfernt',
  uploaded: 'Datei hochgeladen',
  size: 'Größe',
  type: 'Art',
  uploadedAt: 'Hochgeladen',
}
