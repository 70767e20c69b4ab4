// Wie die Ressourcen heißen.
import type { purposes as english, names } from '../resources.ts'

export const resources: typeof names = {
  customers: { title: 'Kunden', singular: 'Kunde' },
  products: { title: 'Produkte', singular: 'Produkt' },
  variants: { title: 'Varianten', singular: 'Variante' },
  categories: { title: 'Kategorien', singular: 'Kategorie' },
  inventories: { title: 'Bestände', singular: 'Bestand' },
  'inventory-history': { title: 'Verlauf des Bestands', singular: 'Bewegung' },
  'catalog-visibilities': { title: 'Sichtbarkeit im Katalog', singular: 'Sichtbarkeitsregel' },
  outlets: { title: 'Filialen', singular: 'Filiale' },
  stations: { title: 'Kassen', singular: 'Kasse' },
  sessions: { title: 'Schichten', singular: 'Schicht' },
  'cash-movements': { title: 'Bargeldbewegungen', singular: 'Bargeldbewegung' },
  closings: { title: 'Abschlüsse', singular: 'Abschluss' },
  orders: { title: 'Bestellungen', singular: 'Bestellung' },
  transactions: { title: 'Zahlungen', singular: 'Zahlung' },
  refunds: { title: 'Erstattungen', singular: 'Erstattung' },
  'tax-tables': { title: 'Steuertabellen', singular: 'Steuertabelle' },
  roles: { title: 'Rollen', singular: 'Rolle' },
  accounts: { title: 'Konten', singular: 'Konto' },
  attachments: { title: 'Anhänge', singular: 'Anhang' },
  'automation-triggers': { title: 'Automatisierung', singular: 'Auslöser' },
}

export const purposes: typeof english = {
  customers: 'Menschen und Firmen, die bei Ihnen kaufen.',
  products: 'Was Sie verkaufen. Jedes Produkt hat eine oder mehrere Varianten mit Preis, Barcode und Bestand.',
  variants:
    'Die Ausführungen eines Produkts, etwa Größen oder Farben. Jede Variante gehört zu einem Produkt und hat Preis, Barcode und Bestand.',
  outlets: 'Ihre Läden, Stände und Lager. Kassen und Bestand gehören zu einer Filiale.',
  stations: 'Eine Kasse oder ein Terminal in einer Filiale. Dort werden Schichten geöffnet und geschlossen.',
  sessions:
    'Eine Schicht dauert vom Öffnen einer Kasse bis zum Zählen ihrer Schublade. Ihr Bericht summiert, was verkauft wurde.',
  'cash-movements':
    'Bargeld, das ohne Verkauf in eine Kassenschublade gelegt oder aus ihr genommen wird, etwa Wechselgeld von der Bank.',
  orders: 'Was verkauft wurde, mit Positionen, Summen und Zahlungen. Kassen tragen ihre Verkäufe hier ein.',
  transactions:
    'Was Kunden bezahlt und zurückbekommen haben. Kassen tragen die Zahlungen ihrer Verkäufe hier ein; andere Bestellungen kassieren Sie auf ihrer Seite, unter Bestellungen.',
  refunds:
    'Was Kunden zurückgegeben und dafür bekommen haben. Einen Verkauf erstatten Sie auf seiner Seite, unter Bestellungen.',
  'tax-tables': 'Steuersätze für das, was Sie verkaufen, etwa ein normaler und ein ermäßigter.',
  roles: 'Eine Rolle sagt, was Angestellte an den Kassen dürfen.',
  accounts:
    'Die Personen, die an Ihren Kassen arbeiten. Wer sich in dieser Konsole anmeldet, ist unter „Mitglieder“ aufgeführt.',
  attachments: 'Dateien Ihres Unternehmens, etwa Bilder von Produkten.',
}
