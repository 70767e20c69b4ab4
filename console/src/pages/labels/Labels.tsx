// Labels on their sheets or their roll, in real sizes: on paper, and in small in the preview.
import type { CSSProperties } from 'react'
import { Barcode } from './Barcode.tsx'
import type { Code } from './codes.ts'
import { type LabelFormat, pageOf, perPage, placeOf } from './formats.ts'
import classes from './Labels.module.css'

/** What a label shows; what is unset is left out. */
export interface LabelContent {
  readonly name: string
  readonly options?: string | undefined
  readonly price?: string | undefined
  readonly sku?: string | undefined
  readonly shop?: string | undefined
  readonly code?: Code | undefined
}

const mm = (length: number): string => `${length.toFixed(3)}mm`

/** `skip` are the labels that were used before on the first sheet. */
export function Labels({
  format,
  labels,
  skip = 0,
}: {
  format: LabelFormat
  labels: readonly LabelContent[]
  skip?: number
}) {
  const [width, height] = pageOf(format)
  const each = perPage(format)
  const count = Math.ceil((labels.length + skip) / each)
  const pages = Array.from({ length: count }, (_, page) =>
    labels.slice(Math.max(0, page * each - skip), (page + 1) * each - skip),
  )
  return pages.map((page, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pages have no name but their place.
    <div key={n} className={classes.page} style={{ width: mm(width), height: mm(height) }}>
      {page.map((content, at) => {
        const { left, top } = placeOf(format, at + (n === 0 ? skip : 0))
        const style = { left: mm(left), top: mm(top), width: mm(format.width), height: mm(format.height) }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal labels have no name but their place.
          <Label key={at} content={content} format={format} style={style} />
        )
      })}
    </div>
  ))
}

/** Millimetres between the edge of a label and what is printed: printers and punches are off by one or two. */
const PADDING = 2

function Label({ content, format, style }: { content: LabelContent; format: LabelFormat; style: CSSProperties }) {
  const { name, options, price, sku, shop, code } = content
  const isLow = format.height < 24
  const own = { ...style, padding: mm(PADDING), fontSize: mm(isLow ? 2.2 : format.height < 40 ? 2.7 : 4) }
  return (
    <div className={classes.label} style={own} data-low={isLow || undefined}>
      <div className={classes.head}>
        <div className={classes.words}>
          {shop && !isLow && <div className={classes.small}>{shop}</div>}
          <div className={classes.name}>{name}</div>
          {(options || sku) && <div className={classes.small}>{[options, sku].filter(Boolean).join(' · ')}</div>}
        </div>
        {price && <div className={classes.price}>{price}</div>}
      </div>
      {code && (
        <div className={classes.code}>
          <Barcode code={code} width={format.width - 2 * PADDING} />
          <div className={classes.digits}>{code.text}</div>
        </div>
      )}
    </div>
  )
}
