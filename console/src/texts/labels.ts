// Texts of the page that prints labels.
import { locale, translated } from '../language.ts'

const labels = (count: number): string => (count === 1 ? '1 label' : `${count.toLocaleString(locale)} labels`)

export const text = translated('labels', {
  title: 'Labels',
  hint: 'Price and shelf labels with barcodes, on sheets or on the roll of a label printer.',
  printLabels: 'Print labels',
  print: (count: number) => `Print ${labels(count)}`,
  none: 'No labels yet',
  noneHint: 'Scan or search variants above, or start from a product, from selected rows of a list, or from the stock.',
  add: 'Add a variant',
  addHint: 'Scan a barcode, or type a name or SKU…',
  variants: 'Variants',
  quantityOf: (name: string) => `Labels of ${name}`,
  remove: (name: string) => `Remove ${name}`,
  clear: 'Remove all',
  noCode: 'No barcode or SKU',
  notEncodable: (code: string) => `“${code}” cannot be a barcode`,
  tooLong: (code: string) => `${code} is too long for this label`,
  bySku: 'from the SKU',
  quantities: 'Set quantities',
  oneEach: 'One each',
  asStock: (outlet: string) => `As in stock at ${outlet}`,
  paper: 'Paper and contents',
  format: 'Format',
  sheets: 'Sheets',
  rolls: 'Rolls',
  sheetOf: (columns: number, rows: number, size: string) => `${size}, ${columns} × ${rows}`,
  sizeOf: (width: string, height: string) => `${width} × ${height} mm`,
  show: 'Show',
  shows: { price: 'Price', sku: 'SKU', shop: 'Name of the shop', code: 'Barcode' },
  start: 'Start at label',
  startHint: (of: number) => `Of ${of.toLocaleString(locale)} on the first sheet: leave out those that are used.`,
  preview: 'Preview',
  pages: (count: number) => (count === 1 ? '1 sheet' : `${count.toLocaleString(locale)} sheets`),
  leftOut: (most: number, over: number) =>
    `Labels are for at most ${most.toLocaleString(locale)} variants at once; ${over.toLocaleString(locale)} ${over === 1 ? 'is' : 'are'} left out.`,
  tooMany: (most: number) => `At most ${labels(most)} are printed at once.`,
  printHint: 'In the browser’s dialog choose this paper, no margins, and a scale of 100 %.',
} as const)
