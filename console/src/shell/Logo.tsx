// The mark of Cashwrap.
export function Logo({ size = 22 }: { size?: number }) {
  return <img src="/console/icon.svg" width={size} height={size} alt="" />
}
