/** Why a request was not sent, or its response not read to the end. */
export type OutgoingReason =
  /** Scheme, port, or an address outside the public internet. */
  'address-refused' | 'unknown-host' | 'unreachable' | 'insecure' | 'redirects' | 'too-slow' | 'too-large'

/** A request that the guard refused or cut off. The message is for the log; people see a text for `reason`. */
export class OutgoingFault extends Error {
  override readonly name = 'OutgoingFault'
  readonly reason: OutgoingReason

  constructor(reason: OutgoingReason, detail: string, options?: ErrorOptions) {
    super(`${reason}: ${detail}`, options)
    this.reason = reason
  }
}

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_NODATA'])
const INSECURE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO)/

/** Maps a network error to a fault. */
export function toOutgoingFault(error: unknown): OutgoingFault {
  if (error instanceof OutgoingFault) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  if (UNKNOWN_HOST.has(code)) return new OutgoingFault('unknown-host', message, { cause: error })
  if (INSECURE.test(code)) return new OutgoingFault('insecure', message, { cause: error })
  if (code === 'ETIMEDOUT' || code === 'ABORT_ERR') return new OutgoingFault('too-slow', message, { cause: error })
  return new OutgoingFault('unreachable', message, { cause: error })
}
