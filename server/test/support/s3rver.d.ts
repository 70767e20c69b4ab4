// The parts of @20minutes/s3rver that the tests use; it has no types of its own.
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      readonly port: number
      readonly address: string
      readonly directory: string
      readonly silent: boolean
      readonly configureBuckets: readonly { readonly name: string }[]
    })
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
