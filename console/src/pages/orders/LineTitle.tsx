// What a line of an order or a refund is called: its own name or SKU, else the name of the product or variant that it refers to.
import type { ReactNode } from 'react'
import { RecordName } from '../../parts/RecordName.tsx'
import { textOf } from './entries.ts'

interface LineTitleProps {
  readonly line: Readonly<Record<string, any>>
  /** For a line that refers to nothing. */
  readonly fallback: ReactNode
}

export function LineTitle({ line, fallback }: LineTitleProps) {
  const own = textOf(line.name) ?? textOf(line.sku)
  if (own !== undefined) return <bdi>{own}</bdi>
  const productId = textOf(line.productId)
  const variantId = textOf(line.variantId)
  if (productId !== undefined) return <RecordName many="products" id={productId} isPlain />
  if (variantId !== undefined) return <RecordName many="variants" id={variantId} isPlain />
  return fallback
}
