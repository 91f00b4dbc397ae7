import { AppError } from '../app-error.ts'

const API_BASE = '/api/v2'
const MEDIA_TYPE = 'application/vnd.api+json'

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base, with its query: `/projects?sort=slug`. */
  path: string
  body?: unknown
  signal?: AbortSignal
}

export type Transport = (request: ApiRequest) => Promise<Response>

export interface TransportOptions {
  /** The address before `/api/v2`: the page's own host or a configured endpoint. */
  origin: string
  /** Sent with every request as `x-api-token: Bearer <token>`, if known. */
  token?: () => string | undefined
  /** Called if the API rejects the token, so that it is not sent again. */
  onDeadToken?: () => void
  /** Language of the answers. */
  language?: () => string | undefined
  /** `fetch` by default; on the server the API's own handler, so that no request leaves the process. */
  send?: (request: Request) => Promise<Response>
}

/** The one transport: `send` decides whether requests use the network or stay within the process. */
export function createTransport({ origin, token, onDeadToken, language, send = (request) => fetch(request) }: TransportOptions): Transport {
  const base = toApiBase(origin)
  return async ({ method, path, body, signal }) => {
    const headers = new Headers({ accept: MEDIA_TYPE })
    const known = token?.()
    const spoken = language?.()
    if (known) headers.set('x-api-token', `Bearer ${known}`)
    if (spoken) headers.set('accept-language', spoken)
    if (body !== undefined) headers.set('content-type', MEDIA_TYPE)
    const request = new Request(base + path, {
      method,
      headers,
      // Only the token identifies the viewer to the API.
      credentials: 'omit',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
    const response = await send(request).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new AppError('unavailable', {
        detail: `The API could not be reached: ${error instanceof Error ? error.message : String(error)}`,
      })
    })
    if (response.status === 401 && response.headers.get('www-authenticate')?.includes('invalid_token')) onDeadToken?.()
    return response
  }
}

/** An endpoint may be given with or without the base path. */
function toApiBase(origin: string): string {
  const bare = origin.replace(/\/+$/, '')
  return bare.endsWith(API_BASE) ? bare : bare + API_BASE
}
