import { setTimeout as wait } from 'node:timers/promises'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { type OutgoingAnswer, type OutgoingPolicy, readWholeBody, sendOutgoing } from '#app/server/outgoing/send-outgoing.ts'
import type { PortalFaultCode } from '../opencities.schema.ts'
import { parseLooseJson } from '../parse-loosely.ts'
import { PortalFault, type Validators } from './portal.server.ts'

const PAGE_TIMEOUT_MS = 60_000
const PAGE_BYTES = 32_000_000
const FILE_TIMEOUT_MS = 30 * 60_000
/** Most bytes of a file, also when it is unpacked. */
export const FILE_BYTES = 512_000_000
const MAX_ATTEMPTS = 3
const MAX_WAIT_SECONDS = 20

interface ReaderOptions {
  policy: OutgoingPolicy
  /** Headers with the connector's token. */
  secrets?: Record<string, string>
  /** The connector's own address: the token is only sent to its host, wherever the portal's data is. */
  home: string
  /** The preferred language of the portal's answers. */
  language: string
  signal?: AbortSignal
  /** Waits before a retry; tests replace it. */
  pause?: (milliseconds: number) => Promise<void>
}

/**
 * Reads a portal through the guard for outgoing requests: limits time and size, waits as long as the portal asks, and says clearly what
 * failed.
 */
export class PortalReader {
  readonly #options: ReaderOptions

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  get language(): string {
    return this.#options.language
  }

  /** A JSON document of at most 32 MB. @throws {PortalFault | OutgoingFault} */
  async json(url: string): Promise<unknown> {
    const text = await this.text(url, 'application/json')
    try {
      return parseLooseJson(text.replace(/^\uFEFF/, ''))
    } catch {
      throw new PortalFault('portal-not-understood', `no JSON at ${url}`)
    }
  }

  async text(url: string, accept = '*/*'): Promise<string> {
    const { answer, release } = await this.#ask(url, { accept }, { withinMs: PAGE_TIMEOUT_MS, mostBytes: PAGE_BYTES })
    try {
      return (await readWholeBody(answer)).toString('utf8')
    } finally {
      await release()
    }
  }

  /** A file as a stream of at most 512 MB and half an hour; undefined if it still matches the validators. */
  async file(url: string, accept: string, validators?: Validators): Promise<OutgoingAnswer | undefined> {
    const conditions = {
      ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
      ...(validators?.modified ? { 'if-modified-since': validators.modified } : {}),
    }
    const { answer } = await this.#ask(url, { accept, ...conditions }, { withinMs: FILE_TIMEOUT_MS, mostBytes: FILE_BYTES })
    if (answer.status !== 304) return answer
    await answer.body.return(undefined)
    return undefined
  }

  async #ask(url: string, headers: Record<string, string>, limits: { withinMs: number; mostBytes: number }) {
    const { policy, secrets, home, language, signal, pause = wait } = this.#options
    const isHome = URL.canParse(home) && URL.canParse(url) && new URL(home).origin === new URL(url).origin
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await sendOutgoing(
          {
            url,
            headers: { 'accept-language': language, ...headers },
            ...(secrets && isHome && canCarrySecret(url, policy) ? { secrets } : {}),
            ...(signal ? { signal } : {}),
            ...limits,
          },
          policy,
        )
        const fault = findStatusFault(answer)
        if (!fault) return { answer, release: () => answer.body.return(undefined) }
        await answer.body.return(undefined)
        throw fault
      } catch (error) {
        const seconds = computeRetryDelay(error, attempt)
        if (seconds === undefined || signal?.aborted) throw error
        await pause(seconds * 1000)
      }
    }
  }
}

/** A token never travels unencrypted, except to this machine where that is allowed. */
export const canCarrySecret = (url: string, { loopback }: OutgoingPolicy): boolean =>
  loopback || !URL.canParse(url) || new URL(url).protocol === 'https:'

/** Seconds until the next attempt; undefined if a retry would not help or would come too late. */
function computeRetryDelay(error: unknown, attempt: number): number | undefined {
  if (attempt >= MAX_ATTEMPTS) return undefined
  if (error instanceof OutgoingFault) return error.reason === 'unreachable' ? 2 ** attempt : undefined
  if (!(error instanceof PortalFault) || (error.code !== 'portal-busy' && error.code !== 'portal-down')) return undefined
  const seconds = error.retryAfter ?? 2 ** attempt
  return seconds <= MAX_WAIT_SECONDS ? seconds : undefined
}

function findStatusFault({ status, headers, url }: OutgoingAnswer): PortalFault | undefined {
  if ((status >= 200 && status < 300) || status === 304) return undefined
  const code: PortalFaultCode =
    status === 401 || status === 403
      ? 'portal-refused'
      : status === 404 || status === 410
        ? 'portal-missing'
        : status === 429
          ? 'portal-busy'
          : status >= 500
            ? 'portal-down'
            : 'portal-not-understood'
  return new PortalFault(code, `status ${status} from ${url}`, parseRetryAfter(headers['retry-after']))
}

const MAX_RETRY_AFTER_SECONDS = 24 * 3600

/** Retry-After in seconds; the header may be seconds or a date. */
function parseRetryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_SECONDS) : undefined
}
