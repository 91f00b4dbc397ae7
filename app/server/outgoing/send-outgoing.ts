import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { traceWork } from '../tracing/tracing.ts'
import { toOutgoingFault, OutgoingFault } from './outgoing-fault.ts'
import { isPublicAddress } from './public-address.ts'

export interface OutgoingPolicy {
  /** Allows requests to this machine: only for development and tests. */
  loopback: boolean
  /** Resolves host names; the system's resolver by default. */
  resolve?: (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void
}

export interface OutgoingRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  /** Headers for the first host only; a redirect to another host does not carry them on. */
  secrets?: Record<string, string>
  body?: string | Buffer
  /** Milliseconds for everything, from resolving the name to the last byte. */
  withinMs: number
  /** Most bytes of the body, after decompression. */
  mostBytes: number
  mostRedirects?: number
  signal?: AbortSignal
  /** Keep-alive connections shared under the same policy; by default the request opens its own. */
  connections?: Connections
}

/** Keep-alive connections. Each leads to the address that was checked when it was opened. */
export interface Connections {
  agentFor: (url: URL) => HttpAgent
  close: () => void
}

export function createConnections(): Connections {
  const [plain, secure] = [new HttpAgent({ keepAlive: true }), new HttpsAgent({ keepAlive: true })]
  return {
    agentFor: ({ protocol }) => (protocol === 'https:' ? secure : plain),
    close: () => {
      plain.destroy()
      secure.destroy()
    },
  }
}

export interface OutgoingAnswer {
  status: number
  headers: IncomingMessage['headers']
  /** The final address, after redirects. */
  url: string
  /** Decompressed and counted: reading it may throw an `OutgoingFault`. Stopping early closes the connection. */
  body: AsyncGenerator<Buffer, void, undefined>
}

const ALLOWED_PORTS = new Set(['', '80', '443', '8080', '8443'])
const SILENCE_TIMEOUT_MS = 30_000
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/**
 * Sends one request to the outside. Nothing else may: the scheme, the port and every address the name resolves to are checked, again on
 * each redirect, and the connection only uses checked addresses. Time and size are limited.
 * @throws {OutgoingFault}
 */
export async function sendOutgoing(request: OutgoingRequest, policy: OutgoingPolicy): Promise<OutgoingAnswer> {
  const method = request.method ?? 'GET'
  return traceWork(method, { 'http.request.method': method, 'server.address': URL.parse(request.url)?.hostname }, () =>
    sendGuarded(request, policy),
  )
}

async function sendGuarded(request: OutgoingRequest, policy: OutgoingPolicy): Promise<OutgoingAnswer> {
  const deadline = AbortSignal.timeout(request.withinMs)
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
  const first = requireAllowedUrl(request.url, policy)
  let url = first
  let { method = 'GET', body } = request
  for (let hop = 0; ; hop++) {
    const headers = {
      'accept-encoding': 'gzip, deflate, br, zstd',
      'user-agent': 'Parley',
      ...request.headers,
      ...(url.origin === first.origin ? request.secrets : {}),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    }
    const response = await sendOnce(url, { method, headers, agent: request.connections?.agentFor(url) ?? false }, body, policy, signal)
    const { location } = response.headers
    if (!REDIRECT_STATUSES.has(response.statusCode ?? 0) || !location) {
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        url: url.href,
        body: readBody(response, request.mostBytes, signal),
      }
    }
    response.destroy()
    if (hop >= (request.mostRedirects ?? 5)) throw new OutgoingFault('redirects', `more than ${hop} of them, from ${first.host}`)
    if (!URL.canParse(location, url)) throw new OutgoingFault('redirects', `to something that is no address, from ${url.host}`)
    url = requireAllowedUrl(new URL(location, url).href, policy)
    if (response.statusCode === 303 || (response.statusCode !== 307 && response.statusCode !== 308 && method === 'POST')) {
      method = 'GET'
      body = undefined
    }
  }
}

/** The whole body as one buffer. @throws {OutgoingFault} */
export async function readWholeBody(answer: Pick<OutgoingAnswer, 'body'>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function requireAllowedUrl(address: string, policy: OutgoingPolicy): URL {
  if (!URL.canParse(address)) throw new OutgoingFault('address-refused', 'not a whole address')
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutgoingFault('address-refused', `scheme ${url.protocol}`)
  if (url.username || url.password) throw new OutgoingFault('address-refused', 'a name or password in the address')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address is never resolved, so it is checked here.
  if (isIP(host) && !isPublicAddress(host, policy.loopback)) throw new OutgoingFault('address-refused', `address ${host}`)
  if (!ALLOWED_PORTS.has(url.port) && !policy.loopback) throw new OutgoingFault('address-refused', `port ${url.port}`)
  return url
}

function sendOnce(
  url: URL,
  options: RequestOptions,
  body: string | Buffer | undefined,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const sent: ClientRequest = send(url, { ...options, lookup: createCheckedLookup(policy), signal }, done)
    sent.on('error', (error) =>
      fail(signal.aborted ? new OutgoingFault('too-slow', `no answer from ${url.host} in time`, { cause: error }) : toOutgoingFault(error)),
    )
    sent.setTimeout(SILENCE_TIMEOUT_MS, () =>
      sent.destroy(new OutgoingFault('too-slow', `${url.host} said nothing for ${SILENCE_TIMEOUT_MS / 1000} s`)),
    )
    sent.end(body)
  })
}

/** Checks whether a request to this address would be allowed, before one is sent. @throws {OutgoingFault} as the request would */
export async function requireAllowedDestination(address: string, policy: OutgoingPolicy): Promise<void> {
  await resolvePublicAddress(requireAllowedUrl(address, policy).hostname, policy)
}

/**
 * Resolves a name to a checked address, for protocols other than HTTP. Connect only to that address: a name may change its answer.
 * @throws {OutgoingFault} `address-refused`, `unknown-host`
 */
export function resolvePublicAddress(hostname: string, policy: OutgoingPolicy): Promise<string> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal)) {
    if (isPublicAddress(literal, policy.loopback)) return Promise.resolve(literal)
    return Promise.reject(new OutgoingFault('address-refused', `address ${literal}`))
  }
  return new Promise((found, fail) => {
    createCheckedLookup(policy)(hostname, {}, (error, address) =>
      error || typeof address !== 'string' ? fail(toOutgoingFault(error)) : found(address),
    )
  })
}

/** Resolves a name to checked addresses only. A single bad address refuses them all. */
function createCheckedLookup(policy: OutgoingPolicy): LookupFunction {
  const resolve = policy.resolve ?? ((hostname, done) => resolveName(hostname, { all: true }, done))
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      if (error) return done(error, [])
      const bad = addresses.find(({ address }) => !isPublicAddress(address, policy.loopback))
      const [one] = addresses
      if (bad) return done(new OutgoingFault('address-refused', `${hostname} is ${bad.address}`), [])
      if (!one) return done(new OutgoingFault('unknown-host', `${hostname} has no address`), [])
      if (options.all) return done(null, addresses)
      return done(null, one.address, one.family)
    })
  }
}

const DECODERS: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

async function* readBody(response: IncomingMessage, mostBytes: number, signal: AbortSignal): OutgoingAnswer['body'] {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decoder = DECODERS[encoding]?.()
  if (!decoder && encoding !== 'identity' && encoding !== '') {
    response.destroy()
    throw new OutgoingFault('unreachable', `an encoding nobody asked for: ${encoding.slice(0, 40)}`)
  }
  const source: Readable = decoder ? (pipeline(response, decoder, () => {}) as unknown as Readable) : response
  let bytes = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new OutgoingFault('too-large', `more than ${mostBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    if (signal.aborted && !(error instanceof OutgoingFault)) throw new OutgoingFault('too-slow', 'the body took too long', { cause: error })
    throw toOutgoingFault(error)
  } finally {
    response.destroy()
  }
}
