// The plot of a sum by days; alone in its file because the library that draws it is larger than all other pages together.
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { Paper, Text } from '@mantine/core'
import { money } from '../../parts/format.ts'

interface SalesChartProps {
  readonly days: readonly { readonly date: string; readonly value: number }[]
  readonly label: string
  readonly title: string
  /** Without it the values are counts. */
  readonly currency?: string | undefined
}

/** A date alone is of no time zone. */
const onDay = (date: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' }).format(new Date(date))

const short = (value: number, currency: string | undefined): string =>
  new Intl.NumberFormat(undefined, {
    notation: 'compact',
    maximumFractionDigits: 1,
    ...(currency !== undefined && { style: 'currency', currency, minimumFractionDigits: 0 }),
  }).format(value)

export default function SalesChart({ days, label, title, currency }: SalesChartProps) {
  const whole = (value: number) =>
    currency === undefined ? new Intl.NumberFormat().format(value) : money(value, currency)
  return (
    <AreaChart
      h={260}
      data={[...days]}
      dataKey="date"
      series={[{ name: 'value', label, color: 'iris.5' }]}
      curveType="monotone"
      withDots={days.length <= 7}
      withGradient
      fillOpacity={0.22}
      strokeWidth={2}
      tickLine="none"
      gridAxis="x"
      strokeDasharray="0"
      gridColor="var(--cw-line)"
      textColor="var(--cw-muted)"
      valueFormatter={(value) => short(value, currency)}
      areaChartProps={{ title, margin: { top: 8, right: 8, bottom: 0, left: 0 } }}
      areaProps={{ isAnimationActive: false, activeDot: { r: 4, strokeWidth: 2 } }}
      yAxisProps={{ width: 'auto', allowDecimals: currency !== undefined }}
      xAxisProps={{
        tickFormatter: (date: string) => onDay(date, { day: 'numeric', month: 'short' }),
        interval: 'equidistantPreserveStart',
        minTickGap: 14,
        tickMargin: 10,
      }}
      tooltipProps={{
        content: ({ active, payload, label: date }) =>
          active && payload?.[0] ? (
            <Paper px="sm" py={6} radius="md" shadow="md">
              <Text size="xs" c="dimmed">
                {onDay(String(date), { weekday: 'short', day: 'numeric', month: 'long' })}
              </Text>
              <Text size="sm" fw={600} className="numbers">
                {whole(Number(payload[0].value))}
              </Text>
            </Paper>
          ) : null,
      }}
    />
  )
}
