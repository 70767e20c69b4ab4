// Low stock: the levels with the lowest quantities, with links to the stock sheet.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCompanyId } from '../../api/company.ts'
import type { LowStockReport } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { ColumnTitles } from '../../parts/ColumnTitles.tsx'
import { Failure } from '../../parts/Failure.tsx'
import { number } from '../../parts/format.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { text } from '../../texts/overview.ts'
import classes from './overview.module.css'
import { fewBelow, lowStockQuery } from './reports.ts'

export function LowStock() {
  const companyId = useCompanyId()
  const { data: report, error, refetch } = useQuery(lowStockQuery(companyId))
  return (
    <Card
      title={text.low}
      aside={report && report.meta.count > 0 && number(report.meta.count)}
      actions={
        <Anchor component={Link} to={`/c/${companyId}/stock`} fz="sm">
          {text.allStock}
        </Anchor>
      }
    >
      {report === undefined ? (
        error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <RowsSkeleton rows={7} />
        )
      ) : report.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {text.lowNoneHint(fewBelow)}
        </Text>
      ) : (
        <table className={classes.low}>
          <ColumnTitles titles={[text.product, text.outlet, text.left]} />
          <tbody>
            {report.data.map((level) => (
              <Level key={level.inventoryId} level={level} companyId={companyId} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function Level({ level, companyId }: { level: LowStockReport['data'][number]; companyId: string }) {
  const { productId, productName, variantName, sku, outletName, stock } = level
  const name = <bdi>{productName || text.unnamedProduct}</bdi>
  const detail = variantName || sku
  return (
    <tr>
      <td>
        {productId === undefined ? (
          name
        ) : (
          <Anchor component={Link} to={`/c/${companyId}/products/${productId}`} c="inherit">
            {name}
          </Anchor>
        )}
        {detail && (
          <span className="muted">
            {' '}
            <bdi>{detail}</bdi>
          </span>
        )}
      </td>
      <td>
        <bdi className="muted">{outletName || text.unnamedOutlet}</bdi>
      </td>
      <td className={classes.left} data-none={stock <= 0 || undefined}>
        {number(stock)}
      </td>
    </tr>
  )
}
