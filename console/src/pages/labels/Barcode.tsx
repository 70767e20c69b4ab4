// A barcode as bars of exact width: one path, so that no renderer leaves gaps between modules.
import { type Code, moduleOf } from './codes.ts'

/** `width` is what the label has for it, in millimetres. The quiet zones are part of the picture. */
export function Barcode({ code, width }: { code: Code; width: number }) {
  const [left, right] = code.quiet
  const all = left + code.modules.length + right
  const bars = [...code.modules.matchAll(/1+/g)].map(
    ({ index, 0: bar }) => `M${left + index} 0h${bar.length}v1h-${bar.length}z`,
  )
  return (
    <svg
      role="img"
      aria-label={`${code.kind} ${code.text}`}
      viewBox={`0 0 ${all} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      style={{ width: `${(all * moduleOf(code, width)).toFixed(3)}mm` }}
    >
      <path d={bars.join('')} fill="#000" />
    </svg>
  )
}
