// Catalog visibility: whether a product, or one of its variants, is shown at an outlet; without a record it is.
import { flag, reference, required } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const catalogVisibility = resource({
  name: { one: 'catalog-visibility', many: 'catalog-visibilities' },
  title: 'Catalog visibility',
  description: 'Whether a product or variant is shown at an outlet. Without such a record, it is shown.',
  fields: {
    productId: required(reference({ description: 'The product that is shown or hidden.' })),
    variantId: reference({
      description: 'Limits the record to one variant. Without it, it applies to the whole product.',
    }),
    outletId: required(reference({ description: 'Where the product is shown or hidden.' })),
    isVisible: required(
      flag({
        description:
          'False hides it at the outlet. True has the same effect as no record, and does not show what is hidden otherwise.',
        example: false,
      }),
    ),
  },
  unique: ['productId', 'variantId', 'outletId'],
  conflict: 'A record for this product and variant at this outlet already exists.',
  remove: 'hard',
  list: { exact: ['productId', 'variantId', 'outletId'] },
  styleA: null,
  styleB: { one: 'catalog-visibility', many: 'catalog-visibilities' },
  example: { productId: '6740a1f2c3d4e5f6a7b8c9d1', outletId: '6740a1f2c3d4e5f6a7b8c9d2', isVisible: false },
})
