// Wie die Ressourcen heißen.
import type { names } from '../resources.ts'

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
