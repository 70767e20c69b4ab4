// What moved once a dialog is done: amounts, and what left the shelf or went back on it.
import { Button, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Order, SaleStockMove } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { text } from '../../texts/orders.ts'
import classes from './Receipt.module.css'
import { StockMoves } from './StockMoves.tsx'

interface MoneyDoneProps {
  readonly order: Order
  readonly stock: readonly SaleStockMove[]
  /** What is said if no money moved. */
  readonly nothing: string | undefined
  readonly close: () => void
  /** The rows of amounts. */
  readonly children: ReactNode
}

export const MoneyDone = ({ order, stock, nothing, close, children }: MoneyDoneProps) => (
  <Stack gap="sm">
    <dl className={classes.result}>
      {children}
      <StockMoves {...{ order, stock }} />
    </dl>
    {nothing !== undefined && (
      <Text size="sm" c="dimmed">
        {nothing}
      </Text>
    )}
    <DialogButtons>
      <Button onClick={close} autoFocus>
        {text.done}
      </Button>
    </DialogButtons>
  </Stack>
)
