// Says in the form of a variant that its sale price is above its price: it may be meant, but is a slip more often.
import { Alert } from '@mantine/core'
import type { Values } from '../../parts/draft.ts'
import { text } from '../../texts/catalog.ts'

export const isSaleAbove = ({ price, salePrice }: Values): boolean =>
  typeof price === 'number' && typeof salePrice === 'number' && salePrice > price

export const SalePriceNote = ({ values }: { readonly values: Values }) =>
  isSaleAbove(values) && (
    <Alert color="yellow" role="status">
      {text.saleAbove}
    </Alert>
  )
