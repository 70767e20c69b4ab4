// The figures of a report or closing that most tills do not have. Closings from before these were added lack them.
export const seldomFigures = [
  'shipping',
  'cashRounding',
  'refundedTips',
  'refundedShipping',
  'refundedCashRounding',
] as const
