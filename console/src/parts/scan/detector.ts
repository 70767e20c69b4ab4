// The browser's own reader of barcodes (Shape Detection API), which browsers on phones and on macOS have.

interface BarcodeDetector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}

interface BarcodeDetectors {
  new (options: { readonly formats: readonly string[] }): BarcodeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

/** What is on goods, on our labels, and on our receipts. */
const wanted = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'code_39', 'itf', 'qr_code']

const detectors = (): BarcodeDetectors | undefined =>
  (window as unknown as { BarcodeDetector?: BarcodeDetectors }).BarcodeDetector

let known: Promise<readonly string[]> | undefined

/** The wanted kinds of codes that the browser reads; none where it reads no codes or has no camera. */
function formats(): Promise<readonly string[]> {
  known ??= (async () => {
    const found =
      (await detectors()
        ?.getSupportedFormats()
        .catch(() => [])) ?? []
    return navigator.mediaDevices === undefined ? [] : wanted.filter((format) => found.includes(format))
  })()
  return known
}

export const canScan = async (): Promise<boolean> => (await formats()).length > 0

/** A reader; undefined where `canScan` is false. */
export async function makeDetector(): Promise<BarcodeDetector | undefined> {
  const Detector = detectors()
  const read = await formats()
  return Detector === undefined || read.length === 0 ? undefined : new Detector({ formats: read })
}
