// Keeps notices off Save buttons and what is marked like them: a visible notice moves above each that it would cover.

const gap = 8
const saving = 'button[type="submit"], [data-saves]'

/** How far notices must move up so that they cover no button in their column. */
function liftOver(notices: DOMRect, lift: number): number {
  const { innerHeight } = window
  const covered = [...document.querySelectorAll(saving)]
    .map((button) => button.getBoundingClientRect())
    .filter(({ width, left, right }) => width > 0 && right > notices.left && left < notices.right)
    .filter(({ top, bottom }) => bottom > 0 && top < innerHeight)
    .sort((a, b) => b.bottom - a.bottom)
  const usual = notices.bottom + lift
  let end = usual
  // From the bottom up, since each button may move the notices over the next.
  for (const { top, bottom } of covered) if (top < end + gap && bottom > end - notices.height - gap) end = top - gap
  return usual - end
}

/** Starts this and returns a function that stops it. Pages scroll and forms grow while a notice is visible. */
export function keepClearOfSave(): () => void {
  const { style } = document.documentElement
  let lift = 0
  let frame = 0
  const look = () => {
    frame = requestAnimationFrame(look)
    const notices = document.querySelector('.mantine-Notifications-root[data-position^="bottom-right"]')
    if (notices === null) return
    const next = liftOver(notices.getBoundingClientRect(), lift)
    if (next === lift) return
    lift = next
    style.setProperty('--cw-lift', `${lift}px`)
  }
  look()
  return () => {
    cancelAnimationFrame(frame)
    style.removeProperty('--cw-lift')
  }
}
