// How long a figure is: what does not fit into its place in the usual size is smaller.

/** `rather` from tens of millions with their cents on, `very` from hundreds of billions. */
export const lengthOf = (figure: string): 'rather' | 'very' | undefined =>
  figure.length > 17 ? 'very' : figure.length > 13 ? 'rather' : undefined
