// How many decimals the amounts of a currency have, by ISO 4217: 0 for JPY, 2 for EUR, 3 for KWD. The console is built with this file too.

/**
 * The minor units of ISO 4217 that are not 2. `Intl` has the decimals of everyday use instead: none for PKR, HUF and
 * COP, although prices in them have cents. Its data also change with the version of Node.
 */
const digitsOfCurrencies: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)] as const)),
)

/** The decimals of a currency; 2 if it is missing or unknown. */
export const currencyDigits = (currency: string | undefined): number =>
  currency === undefined ? 2 : (digitsOfCurrencies.get(currency) ?? 2)
