// Produkte, ihre Varianten und Bilder, und Kategorien.
import { locale, type Translation } from '../../language.ts'
import type { text } from '../catalog.ts'

export const catalog: Translation<typeof text> = {
  variants: 'Varianten',
  addVariant: 'Variante hinzufügen',
  viewVariant: (name) => `${name} ansehen`,
  editVariant: (name) => `${name} bearbeiten`,
  variantActions: (name) => `Aktionen für ${name}`,
  nthVariant: (n) => `Variante ${n}`,
  removeVariant: (name) => `${name} entfernen`,
  cell: (column, name) => `${column} von ${name}`,
  options: 'Optionen',
  optionsHint: 'Was Kunden wählen, etwa Größen und Farben. Jede Option ist unten eine Spalte der Varianten.',
  addMissing: (count) =>
    count === 1 ? 'Fehlende Variante hinzufügen' : `${count.toLocaleString(locale)} fehlende Varianten hinzufügen`,
  sku: 'Artikelnummer',
  barcode: 'Barcode',
  salePrice: 'Aktionspreis',
  aboveThePrice: 'Über dem Preis',
  saleAbove: 'Der Aktionspreis ist höher als der Preis.',
  onSale: 'In Aktion',
  unsavedVariant: 'Noch nicht gespeichert',
  changedSince: (now) => `Inzwischen auf ${now} geändert. Speichern Sie noch einmal, um es zu überschreiben.`,
  variantsRefused: 'Einige Varianten wurden nicht gespeichert. Die Gründe stehen daneben.',
  unreadableRows: 'Einige Preise oder Mengen sind keine Zahlen. Berichtigen Sie sie zuerst.',
  actions: 'Aktionen',
  duplicate: 'Duplizieren',
  countStock: 'Bestand zählen',
  price: 'Preis',
  stock: 'Bestand',
  stockAt: (name, outlet) => `Bestand von ${name} in ${outlet}`,
  stockAll: 'Gesamtbestand',
  notCounted: 'Nicht geführt',
  nowhere: 'Noch kein Bestand',
  moreOutlets: (count) => `und ${count} weitere`,
  showMore: 'Mehr anzeigen',
  productOrphans: 'Wenn Sie auch seine Varianten und deren Bestand löschen möchten, tun Sie das zuerst.',
  byOutlet: 'Nach Filiale',
  outlet: 'Filiale',
  visibility: 'Sichtbarkeit',
  shown: 'Sichtbar',
  hidden: 'Verborgen',
  at: (outlet) => `in ${outlet}`,
  notCarried: 'Nicht geführt',
  variantsHidden: (count) => (count === 1 ? 'Eine Variante ist verborgen' : `${count} Varianten sind verborgen`),
  nthPicture: (n) => `Bild ${n}`,
  dropPictures: 'Bilder hier ablegen, oder',
  choosePictures: 'Bilder wählen',
  sendingPictures: (left) => (left === 1 ? 'Ein Bild wird hochgeladen…' : `${left} Bilder werden hochgeladen…`),
  picturesRefused: 'Einige Bilder wurden nicht hochgeladen',
  pictureTooLarge: 'Es hat mehr als 50 MB.',
  notAPicture: 'Dieser Browser kann es nicht als Bild lesen.',
  firstPicture: 'Wird zuerst gezeigt',
  otherHost: 'Auf einem anderen Server: wird hier nicht geladen',
  noPictures: 'Keine Bilder',
  addPicture: 'Hinzufügen',
  pictureUrl: 'URL des Bildes',
  picturePlaceholder: 'https://… oder mehrere, eine je Zeile',
  pictureUp: (n) => `Bild ${n} nach oben`,
  pictureDown: (n) => `Bild ${n} nach unten`,
  pictureRemove: (n) => `Bild ${n} entfernen`,

  categories: 'Kategorien',
  newCategory: 'Neue Kategorie',
  noCategories: 'Noch keine Kategorien',
  noCategoriesHint: 'Kategorien gruppieren Produkte. Erstellen Sie die erste hier, über die API oder mit einem Import.',
  findCategory: 'Kategorie finden…',
  noneFits: 'Keine Treffer',
  expandAll: 'Alle aufklappen',
  collapseAll: 'Alle zuklappen',
  editCategory: 'Bearbeiten',
  addBelow: 'Unterkategorie hinzufügen',
  belowOf: (name) => `In ${name}`,
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  moveIn: 'In die darüber verschieben',
  moveOut: 'Eine Ebene höher',
  moveTo: 'Verschieben nach…',
  moveToTitle: (name) => `${name} verschieben`,
  moveToLabel: 'Übergeordnete Kategorie',
  moveToHint: 'Ihre Unterkategorien kommen mit.',
  topLevel: 'Oberste Ebene',
  move: 'Verschieben',
  moved: (name, to) => (to === undefined ? `${name} wurde verschoben.` : `${name} ist jetzt in ${to}.`),
  movedTop: (name) => `${name} ist jetzt auf der obersten Ebene.`,
  notMoved: (name) => `${name} konnte nicht verschoben werden.`,
  changedMeanwhile: (name) =>
    `${name} hat sich geändert, seit Sie die Seite geladen haben. Der Baum zeigt den jetzigen Platz; verschieben Sie noch einmal, wenn Sie das weiterhin möchten.`,
  seeProducts: 'Produkte ansehen',
  missingParent: 'Übergeordnete Kategorie fehlt',
  missingParentHint: (id) =>
    `Die übergeordnete Kategorie ${id} gibt es nicht. Verschieben Sie sie dorthin, wo sie hingehört.`,
  inCircle: 'Kreis von Kategorien',
  inCircleHint:
    'Ihre übergeordneten Kategorien führen zu ihr zurück. Verschieben Sie sie auf die oberste Ebene oder in eine andere Kategorie.',
  problems: (count) =>
    count === 1
      ? 'Eine Kategorie ist am falschen Platz: Die übergeordnete Kategorie fehlt, oder sie liegt in sich selbst. Sie ist markiert; verschieben Sie sie dorthin, wo sie hingehört.'
      : `${count.toLocaleString(locale)} Kategorien sind am falschen Platz: Die übergeordneten Kategorien fehlen, oder sie liegen in sich selbst. Sie sind markiert; verschieben Sie sie dorthin, wo sie hingehören.`,
  keys: 'Pfeiltasten: bewegen. Enter: bearbeiten. Alt + Pfeiltasten: verschieben. Entf: löschen.',
  keysOfViewer: 'Pfeiltasten: bewegen. Enter: öffnen.',
  deleteTitle: (name) => `${name} löschen?`,
  deleteBelow: (direct, all) =>
    all > direct
      ? `Sie enthält ${all.toLocaleString(locale)} Kategorien, davon ${direct.toLocaleString(locale)} direkt.`
      : direct === 1
        ? 'Sie enthält eine Kategorie.'
        : `Sie enthält ${direct.toLocaleString(locale)} Kategorien.`,
  deleteChoice: 'Unterkategorien',
  deleteLift: (to) => (to === undefined ? 'Auf die oberste Ebene verschieben' : `Nach oben verschieben, in ${to}`),
  deleteAll: (count) => (count === 1 ? 'Auch löschen' : `Alle ${count.toLocaleString(locale)} auch löschen`),
  deleteProducts: (count) =>
    count === 0
      ? 'Kein Produkt ist betroffen.'
      : count === 1
        ? 'Ein Produkt ist betroffen. Es bleibt und behält die Id der gelöschten Kategorie, bis es bearbeitet wird.'
        : `${count.toLocaleString(locale)} Produkte sind betroffen. Sie bleiben und behalten die Id der gelöschten Kategorie, bis sie bearbeitet werden.`,
  deleteForGood: 'Das lässt sich nicht rückgängig machen.',
  deletedMany: (count) => `${count.toLocaleString(locale)} Kategorien wurden gelöscht.`,
}
