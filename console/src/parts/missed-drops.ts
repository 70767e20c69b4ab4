// Files that are dropped beside the zone that takes them: by default the browser would leave the page to show one of them.

const ofFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes('Files') === true && !event.defaultPrevented

/** Lets nothing happen to files that no part of the page takes. */
export function ignoreMissedDrops(): void {
  window.addEventListener('dragover', (event) => {
    // An input that the browser draws takes files itself.
    if (!ofFiles(event) || isFileInput(event.target)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
  })
  window.addEventListener('drop', (event) => {
    if (ofFiles(event) && !isFileInput(event.target)) event.preventDefault()
  })
}

const isFileInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'file'
