// The bar above a sheet: finds a variant, filters by product, and what the page adds.
import { ActionIcon, Badge, CloseButton, Kbd, Popover, Table, Tooltip } from '@mantine/core'
import { IconKeyboard, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { memo, type ReactNode, type RefObject, useCallback } from 'react'
import { useScope } from '../../api/company.ts'
import { text } from '../../texts/sheet.ts'
import { ReferenceInput } from '../ReferenceInput.tsx'
import { Finder } from './Finder.tsx'
import { rowsQuery, type View } from './rows.ts'
import classes from './SheetPage.module.css'

interface SheetBarProps {
  readonly view: View
  readonly onView: (view: View) => void
  readonly finder: RefObject<HTMLInputElement | null>
  readonly find: (code: string) => Promise<void>
  /** Further filters, and further buttons. */
  readonly filters?: ReactNode
  readonly tools?: ReactNode
  readonly help: readonly (readonly [keys: string, what: string])[]
}

/** Rendered again only if one of them changes, not with each step through the sheet. */
export const SheetBar = memo(function SheetBar(props: SheetBarProps) {
  const { view, onView, finder, find, filters, tools, help } = props
  const { productId, q, below } = view
  const refresh = useRefresh(view)
  return (
    <div className={`${classes.bar} screen-only`}>
      <Finder input={finder} find={find} />
      <div className={classes.product}>
        <ReferenceInput
          many="products"
          label={text.productFilter}
          isLabelHidden
          placeholder={text.anyProduct}
          value={productId}
          onChange={(id) =>
            onView({ ...(id !== undefined && { productId: id }), ...(below !== undefined && { below }) })
          }
        />
      </div>
      {filters}
      {q && (
        <Badge
          size="lg"
          color="gray"
          className={classes.fitting}
          rightSection={
            <CloseButton
              size="xs"
              aria-label={text.removeFitting}
              onClick={() => onView(productId === undefined ? {} : { productId })}
            />
          }
        >
          <bdi>{text.fitting(q)}</bdi>
        </Badge>
      )}
      <div className={classes.tools}>
        {tools}
        <Tooltip label={text.refresh}>
          <ActionIcon size={36} variant="default" aria-label={text.refresh} onClick={refresh}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
        <Keys help={help} />
      </div>
    </div>
  )
})

/** Reads the shown rows again. */
function useRefresh(view: View): () => void {
  const { companyId } = useScope()
  const client = useQueryClient()
  return useCallback(
    () => void client.invalidateQueries({ queryKey: rowsQuery({ companyId }, view).queryKey }),
    [client, companyId, view],
  )
}

function Keys({ help }: Pick<SheetBarProps, 'help'>) {
  return (
    <Popover position="bottom-end" shadow="md" width={440}>
      <Popover.Target>
        <ActionIcon size={36} variant="default" aria-label={text.keys} className={classes.keys}>
          <IconKeyboard size={17} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={text.keys}>
        <Table verticalSpacing={5} fz="sm" withRowBorders={false}>
          <Table.Tbody>
            {help.map(([keys, what]) => (
              <Table.Tr key={what}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <Kbd size="xs">{keys}</Kbd>
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Popover.Dropdown>
    </Popover>
  )
}
