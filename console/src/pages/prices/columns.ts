// The columns of the price sheet: members of variants, as numbers.

import { useMemo } from 'react'
import { currencyDigits } from '../../../../server/src/core/currency.ts'
import { useCompany } from '../../api/company.ts'
import type { Variant } from '../../api/schemas.ts'
import { locale } from '../../language.ts'
import type { Head, ValueFormat } from '../../parts/sheet/format.ts'
import { rowMaker } from '../../parts/sheet/rows.ts'
import { readJsonNumber, typedNumber } from '../../parts/typed-number.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { text } from '../../texts/prices.ts'

const amounts = ['price', 'salePrice', 'costPrice'] as const
type Amount = (typeof amounts)[number]

const members = ['price', 'salePrice', 'isOnSale', 'costPrice'] as const

function amountFormat(currency: string | undefined): ValueFormat {
  const decimals = currencyDigits(currency)
  const { format } = new Intl.NumberFormat(locale, {
    numberingSystem: 'latn',
    minimumFractionDigits: decimals,
    maximumFractionDigits: 20,
  })
  const typed = (value: number) => typedNumber(value, { decimals })
  return { read: readJsonNumber, shown: format, typed, cleared: undefined }
}

const flagFormat: ValueFormat = {
  read: (typed) => {
    const word = typed.trim().toLowerCase()
    if ((text.yesWords as readonly string[]).includes(word)) return 1
    return (text.noWords as readonly string[]).includes(word) ? 0 : new Unreadable(typed, text.notYesOrNo(typed.trim()))
  },
  shown: (value) => (value === 1 ? text.yes : text.no),
  typed: (value) => (value === 1 ? text.yes : text.no),
  cleared: 0,
  isFlag: true,
}

export function useHeads(): readonly Head[] {
  const { currency } = useCompany()
  return useMemo(() => {
    const format = amountFormat(currency)
    return members.map((id) => ({
      id,
      name: id === 'price' && currency !== undefined ? text.in(text.columns[id], currency) : text.columns[id],
      format: id === 'isOnSale' ? flagFormat : format,
    }))
  }, [currency])
}

/** What a variant has in a column. */
export function valueIn(variant: Variant, id: string): number | undefined {
  if (id === 'isOnSale') return variant.isOnSale === true ? 1 : 0
  return variant[id as Amount]
}

/** The members to send for a value of a column; null removes it. */
export const sentAs = (id: string, value: number | undefined): number | boolean | null =>
  id === 'isOnSale' ? value === 1 : (value ?? null)

export const rowOf = rowMaker((variant) => ({
  values: new Map(
    members.flatMap((id) => {
      const value = valueIn(variant, id)
      return value === undefined ? [] : [[id, value] as const]
    }),
  ),
}))
