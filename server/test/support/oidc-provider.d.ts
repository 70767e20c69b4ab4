// What the tests use of oidc-provider, which has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  /** What is known of a request at the provider. */
  interface Context {
    readonly oidc: {
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant }
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
    }
  }

  interface Account {
    readonly accountId: string
    claims(): object
  }

  export default class Provider {
    constructor(
      issuer: string,
      configuration: {
        readonly clients: readonly object[]
        readonly findAccount: (context: Context, id: string) => Account
        readonly loadExistingGrant: (context: Context) => Promise<Grant>
        readonly [setting: string]: unknown
      },
    )
    readonly Client: { readonly prototype: { redirectUriAllowed: (uri: string) => boolean } }
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
}
