// The record of all measurements: a customer whose stored text has about 700 bytes, with marks where each copy differs.

/** A mark for a unique number of each request; 8 characters, like the number that replaces it. */
export const numberMark = '@NUMBER@'
/** A mark for the id of a record; 24 characters, like an id. */
export const idMark = '@IDENTIFIER-OF-A-RECORD@'
/** A mark for the API key that follows an id: requests of several companies by turns. */
export const keyMark = '@API-KEY@'
/** A mark for a number from 76 to 125, each in turn: equal lists that wait at the same time share a statement, those of different lengths do not. */
export const lengthMark = '@NEAR-A-HUNDRED@'

/** A mark for a name that depends on the number: 8 letters, spread so that searches find some and not all. */
const nameMark = '@A-NAME@'

const address = {
  firstName: 'Ann',
  lastName: 'Archer',
  address1: 'Torstrasse 17',
  city: 'Berlin',
  country: 'DE',
  postCode: '10119',
}

/** What a caller sends to create it. */
export const sampleBody = {
  email: `${nameMark}.${numberMark}@example.com`,
  firstName: 'Ann',
  lastName: nameMark,
  phone: `+49 30 ${numberMark}`,
  outletId: '6740a1f2c3d4e5f6a7b8c9d0',
  externalId: `shop-${numberMark}`,
  totalSpent: '1234.50',
  lastAction: '2026-11-20T16:45:00.000Z',
  tags: ['regular', 'newsletter'],
  billing: address,
  notes: [{ message: 'Prefers to be called in the morning.', createdAt: '2026-11-02T08:15:00.000Z' }],
  source: 'pos',
}

/** The same with an address that is none. */
export const refusedBody = { ...sampleBody, email: 'ann at example.com' }

/** The outlets at which each variant has stock. */
export const outlets = ['6740a1f2c3d4e5f6a7b8c901', '6740a1f2c3d4e5f6a7b8c902'] as const

/** A variant whose stored text has about 500 bytes, with its stock. */
export const sampleVariant = {
  productId: '6740a1f2c3d4e5f6a7b8c9d1',
  manageStock: true,
  sku: `SKU-${numberMark}`,
  barcode: `4006${numberMark}`,
  price: 12.5,
  costPrice: 6.25,
  externalId: `shop-${numberMark}`,
  images: ['https://shop.example/images/espresso-250-front.jpg'],
  attributes: [
    { name: 'Size', value: '250 g' },
    { name: 'Roast', value: 'dark' },
  ],
  inventory: outlets.map((outletId) => ({ outletId, stock: 1000 })),
}

/** A number in the width of its mark. */
const digits = (number: number): string => String(number % 1e8).padStart(8, '0')

/** Syllables ba, be, bi … zu: one for each two digits of the number, once that is spread over all of them. */
const nameOf = (number: number): string =>
  digits((number % 1e8) * 61_803_399).replace(/(\d)(\d)/g, (_, tens, ones) => {
    const at = Number(tens) * 10 + Number(ones)
    return `${'bcdfghjklmnpqrstvwxz'[Math.floor(at / 5)]}${'aeiou'[at % 5]}`
  })

/** The text with its marks replaced, except for ids. */
export const numbered = (text: string, number: number): string =>
  text.replaceAll(numberMark, digits(number)).replaceAll(nameMark, nameOf(number))

/** The same with a number of its own for each mark, so that the records of one text differ. */
export const numberedEach = (text: string, next: () => number): string =>
  text.replaceAll(numberMark, () => digits(next())).replaceAll(nameMark, () => nameOf(next()))
