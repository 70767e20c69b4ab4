// The top products of a period, by revenue or by quantity.
import { Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCompanyId } from '../../api/company.ts'
import { Card } from '../../parts/Card.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { useFormat } from '../../parts/format.ts'
import { useReportZone } from '../../parts/time-zone.ts'
import { text } from '../../texts/overview.ts'
import { productsQuery } from './reports.ts'
import { Shares } from './Shares.tsx'

export function BestProducts({ from }: { from: string }) {
  const companyId = useCompanyId()
  const format = useFormat()
  const [by, setBy] = useState<'total' | 'quantity'>('total')
  const {
    data: report,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery(productsQuery(companyId, from, by, useReportZone()))
  const shares = report?.data.map((sold) => {
    const amount = format.money(sold.total, report.currency)
    const count = text.sold(format.number(sold.quantity))
    return {
      key: sold.productId,
      name: <ProductName companyId={companyId} {...sold} />,
      size: by === 'total' ? Number(sold.total) : sold.quantity,
      value: by === 'total' ? amount : count,
      note: by === 'total' ? count : amount,
    }
  })
  return (
    <Card
      title={text.best}
      isOutdated={isPlaceholderData}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={text.bestBy}
          value={by}
          onChange={(value) => setBy(value as 'total' | 'quantity')}
          data={[
            { value: 'total', label: text.byTotal },
            { value: 'quantity', label: text.byQuantity },
          ]}
        />
      }
    >
      {error && report === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Shares shares={shares} none={text.noBest} />
      )}
    </Card>
  )
}

/** Orders may contain products of another system, which have no page here. */
function ProductName({ companyId, productId, name }: { companyId: string; productId: string; name?: string }) {
  const shown = <bdi>{name || text.unnamedProduct}</bdi>
  if (!/^[0-9a-f]{24}$/.test(productId)) return <span className="cut">{shown}</span>
  return (
    <Anchor component={Link} to={`/c/${companyId}/products/${productId}`} className="cut" c="inherit">
      {shown}
    </Anchor>
  )
}
