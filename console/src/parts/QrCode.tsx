// A QR code: black on white in dark mode too, since not every camera reads the inverse.
import { encode } from 'uqr'

export function QrCode({ value, label, size = 184 }: { value: string; label: string; size?: number }) {
  // A margin of four modules is part of the code (ISO/IEC 18004).
  const { data, size: modules } = encode(value, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      style={{ borderRadius: 8, flex: 'none' }}
    >
      <rect width={modules} height={modules} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
