import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { DEFAULT_LANGUAGE, type Language, matchLanguage, splitLanguage } from '../lib/languages.ts'
import { findPreferredLanguage } from '../server/accept-language.ts'
import type { SharedRendering } from '../server/shared-rendering.ts'
import type { SiteRequest } from './site-request.ts'

/** Facts about a request that the request itself does not contain. */
export interface RequestFacts {
  id: string
  /** The client's network address; null if the page is rendered for everybody. */
  address: string | null
  /** The page is stored and served to everybody: no nonce, no cookie, no address. */
  forEveryone: boolean
  /** The site and so on, if they are known already. */
  asked?: SiteRequest
  /** The page is rendered for many signed-in people at once. */
  sharedRendering?: SharedRendering
}

const ID_BYTES = 9
const idBytes = Buffer.alloc(ID_BYTES * 512)
let nextId = idBytes.length

/** Random bytes are fetched for many ids at once: asking the system for each request takes longer than the rest of the id. */
export function createRequestId(): string {
  if (nextId === idBytes.length) {
    randomFillSync(idBytes)
    nextId = 0
  }
  nextId += ID_BYTES
  return idBytes.toString('base64url', nextId - ID_BYTES, nextId)
}

/**
 * The client's address: the socket's or, behind `trustedProxies` proxies that each append to X-Forwarded-For, the entry that the outermost
 * of them wrote. Anything that a client puts into the header itself is further left and never read.
 */
export function readClientAddress(request: IncomingMessage, trustedProxies: number): string | null {
  const own = normaliseAddress(request.socket.remoteAddress)
  if (trustedProxies === 0) return own
  const header = request.headers['x-forwarded-for']
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim())
  return normaliseAddress(entries.at(-trustedProxies)) ?? own
}

/** True if the client came over https, according to PUBLIC_URL or the outermost trusted proxy. */
export function isSecure(request: IncomingMessage, env: { PUBLIC_URL?: string | undefined; TRUSTED_PROXIES: number }): boolean {
  if (env.PUBLIC_URL) return env.PUBLIC_URL.startsWith('https:')
  if (env.TRUSTED_PROXIES === 0) return false
  const header = request.headers['x-forwarded-proto']
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((entry) => entry.trim())
  return (entries.at(-env.TRUSTED_PROXIES) ?? entries[0]) === 'https'
}

function normaliseAddress(entry: string | undefined): string | null {
  if (!entry) return null
  const bare = entry.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(mapped) ? mapped : null
}

/** The language of a page without a site: the address's prefix, else the browser's preference. */
export const detectLanguageWithoutSite = (path: string, acceptLanguage: string | null | undefined): Language =>
  matchLanguage(splitLanguage(path).language) ?? findPreferredLanguage(acceptLanguage) ?? DEFAULT_LANGUAGE

export function readCookies(header: string | null | undefined): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at > 0 && name && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}
