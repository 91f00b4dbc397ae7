import type { SignInFaultCode } from '#app/lib/vocabulary/identity.ts'

/** Why signing in with a provider failed. People see a text for `code`; the message is for the log. */
export class SignInFault extends Error {
  override readonly name = 'SignInFault'
  readonly code: SignInFaultCode

  constructor(code: SignInFaultCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options)
    this.code = code
  }
}
