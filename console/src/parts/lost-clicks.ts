// Makes a click count on a button that moves while it is pressed: when an input loses the focus, a message below it may push the button away from the pointer.

/** Pixels that a pointer may move and still count as at rest; some browsers round the place of a click. */
const still = 2

/** Starts this for all buttons that send a form. The pointer must not move, so that pressing one and letting go elsewhere still does nothing. */
export function countLostClicks(): void {
  let pressed: { readonly button: HTMLElement; readonly x: number; readonly y: number } | undefined
  window.addEventListener(
    'pointerdown',
    ({ target, button: key, clientX: x, clientY: y }) => {
      const button = target instanceof Element ? target.closest<HTMLElement>('button[type="submit"]') : null
      pressed = button === null || key !== 0 ? undefined : { button, x, y }
    },
    true,
  )
  window.addEventListener(
    'click',
    ({ target, clientX, clientY }) => {
      const last = pressed
      pressed = undefined
      if (last === undefined || Math.hypot(clientX - last.x, clientY - last.y) > still) return
      if (target instanceof Node && !last.button.contains(target) && last.button.isConnected) last.button.click()
    },
    true,
  )
}
