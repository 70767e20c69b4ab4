// The encoders of JsBarcode, which are used without its drawing: its own types do not name them.
declare module 'jsbarcode/bin/barcodes/*' {
  interface Encoder {
    valid(): boolean
    /** The modules of the code from left to right: `1` is a bar. */
    encode(): { readonly data: string; readonly text: string }
  }
  type Encoding = new (data: string, options: { readonly flat: true }) => Encoder
  export const EAN13: Encoding
  export const EAN8: Encoding
  export const UPC: Encoding
  export const CODE128: Encoding
}
