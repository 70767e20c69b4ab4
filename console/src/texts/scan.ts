// Texts of finding variants, and of reading barcodes with the camera.
import { translated } from '../language.ts'
export const text = translated('scan', {
  scan: 'Scan with the camera',
  camera: 'Picture of the camera',
  hint: 'Hold the barcode or QR code inside the frame.',
  denied: 'This page may not use the camera. Allow it in the settings of the browser.',
  noCamera: 'No camera was found, or another program uses it.',
  looking: 'Searching…',
  notFound: (code: string) => `No variant was found by “${code}”.`,
  nothing: 'No results',
} as const)
