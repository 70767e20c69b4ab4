// Saves a file that the page has made.

/** Offers a file as a download. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // Chromium has read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
