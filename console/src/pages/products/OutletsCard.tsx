// Where a product is sold: its stock at each outlet, and whether the outlet shows it, which a switch changes at once.
import { Anchor, Switch, Table, Text, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCanWrite, useScope } from '../../api/company.ts'
import { listQuery, type RecordData, refresh, someQuery } from '../../api/records.ts'
import { get, newIdempotencyKey, send } from '../../api/request.ts'
import { Card } from '../../parts/Card.tsx'
import { sumOf } from '../../parts/decimal.ts'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { useAction } from '../../parts/use-action.ts'
import { text } from '../../texts/catalog.ts'
import { variantsQuery } from './variants.ts'

/** Outlets and rules that are read: a shop with more decides by categories. */
const most = 200

export function OutletsCard({ product }: { product: RecordData }) {
  const scope = useScope()
  const format = useFormat()
  const outlets = useQuery({
    ...someQuery(scope, 'outlets', { limit: most, sortBy: 'sequenceNumber' }),
    staleTime: 60_000,
  })
  const { data: variants, hasNextPage } = useInfiniteQuery(listQuery(scope, 'variants', variantsQuery(product.id)))
  const rules = useQuery(someQuery(scope, 'catalog-visibilities', { productId: product.id, limit: 1000 }))
  const failed = [outlets, rules].find(({ error }) => error)
  if (failed)
    return (
      <Card title={text.byOutlet}>
        <Failure error={failed.error} retry={() => void failed.refetch()} />
      </Card>
    )
  if (!outlets.data || outlets.data.data.length === 0 || !rules.data) return null
  const levels =
    variants?.pages.flatMap((page) =>
      page.data.flatMap(({ inventory, manageStock }) => (manageStock ? inventory : [])),
    ) ?? []
  const carriers: readonly string[] = product.outlets ?? []
  return (
    <Card title={text.byOutlet} isFlush>
      <Table verticalSpacing={8} horizontalSpacing={16}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.outlet}</Table.Th>
            <Table.Th ta="right">{text.stock}</Table.Th>
            <Table.Th w={136}>{text.visibility}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {outlets.data.data.map((outlet) => {
            const own = levels.filter(({ outletId }) => outletId === outlet.id)
            const isCarried = carriers.length === 0 || carriers.includes(outlet.id)
            return (
              <Table.Tr key={outlet.id}>
                <Table.Td className="name">
                  <bdi>{outlet.name}</bdi>
                </Table.Td>
                <Table.Td ta="right">
                  {/* With more variants than were read, the sum is unknown. */}
                  {own.length === 0 || hasNextPage ? (
                    <span className="muted">–</span>
                  ) : (
                    <Anchor
                      component={Link}
                      to={`/c/${scope.companyId}/stock`}
                      search={{ productId: product.id } as never}
                    >
                      {format.number(Number(sumOf(own.map(({ stock }) => stock))))}
                    </Anchor>
                  )}
                </Table.Td>
                <Table.Td>
                  <Visibility
                    {...{ product, isCarried }}
                    outlet={outlet}
                    rules={rules.data.data.filter(({ outletId }) => outletId === outlet.id)}
                  />
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

interface VisibilityProps {
  readonly product: RecordData
  readonly outlet: { readonly id: string; readonly name?: string }
  /** Whether the product's own list of outlets has this one. */
  readonly isCarried: boolean
  /** The rules for the product and its variants at this outlet. */
  readonly rules: readonly RecordData[]
}

function Visibility({ product, outlet, isCarried, rules }: VisibilityProps) {
  const scope = useScope()
  const client = useQueryClient()
  const canWrite = useCanWrite()
  const { isBusy, run } = useAction()
  const hiding = rules.find(({ variantId, isVisible }) => variantId === undefined && isVisible === false)
  const others = rules.filter(({ variantId, isVisible }) => variantId !== undefined && isVisible === false).length
  const isShown = hiding === undefined
  if (!isCarried) return <span className="muted">{text.notCarried}</span>

  const change = () =>
    run(async () => {
      // A rule that shows has the effect of none, and may have to make way for one that hides.
      const old = rules.find(({ variantId }) => variantId === undefined)
      if (old !== undefined)
        await get(scope, `/v1/catalog-visibility/${old.id}`, { method: 'PATCH', body: { isVisible: !isShown } })
      else
        await send(scope, '/v1/catalog-visibility', {
          method: 'POST',
          body: { productId: product.id, outletId: outlet.id, isVisible: false },
          headers: { 'idempotency-key': newIdempotencyKey() },
        })
      await refresh(client, scope.companyId, 'catalog-visibilities')
    })

  return (
    <>
      {canWrite ? (
        <Switch
          checked={isShown}
          disabled={isBusy}
          onChange={() => void change()}
          label={
            <>
              {isShown ? text.shown : text.hidden}
              <VisuallyHidden>{` ${text.at(outlet.name ?? outlet.id)}`}</VisuallyHidden>
            </>
          }
        />
      ) : isShown ? (
        text.shown
      ) : (
        text.hidden
      )}
      {others > 0 && isShown && (
        <Text size="xs" c="dimmed">
          {text.variantsHidden(others)}
        </Text>
      )}
    </>
  )
}
