import { createHash } from 'node:crypto'
import { splitLanguage } from '../lib/languages.ts'
import { POLICY_REPORTS_PATH } from './policy-reports.ts'
import type { ThirdParties } from '../features/libraries/third-parties.server.ts'
import type { Env } from '../server/env.ts'

type Settings = Pick<Env, 'PUBLIC_URL' | 'API_ENDPOINT'> & ThirdParties

interface PolicyPage {
  /** For a page rendered for one person. */
  nonce?: string | undefined
  /** Hashes of the inline scripts of a stored page. */
  hashes?: readonly string[]
  /** The same of its style elements. */
  styleHashes?: readonly string[]
  path: string
  /** Origins that the page frames (`FRAMES_HEADER`). */
  frames?: string | null
  /** Who may frame the page, if anyone. */
  framers?: readonly string[] | undefined
}

const INTERCOM = ['https://*.intercom.io', 'https://*.intercomcdn.com', 'https://*.intercomcdn.eu']

/** The Content-Security-Policy of a page: our own files, its own inline scripts, and third parties that are switched on. */
export function buildContentPolicy(env: Settings, page: PolicyPage): string {
  const allowInline = (hashes: readonly string[] = []) => [
    ...(page.nonce ? [`'nonce-${page.nonce}'`] : []),
    ...hashes.map((hash) => `'sha256-${hash}'`),
  ]
  const scripts = ["'self'", ...allowInline(page.hashes)]
  let styles = ["'self'", ...allowInline(page.styleHashes)]
  const connect = ["'self'", ...toOrigins(env.API_ENDPOINT, env.SENTRY_DSN, env.SENTRY_ENDPOINT)]
  const images = ["'self'", 'data:', 'blob:']
  const fonts = ["'self'"]
  const frames = parseFramedOrigins(page.frames)
  if (env.SEGMENT_WRITE_KEY) {
    const own = toOrigins(env.SEGMENT_ENDPOINT)
    const hosts = own.length ? own : ['https://cdn.segment.com', 'https://api.segment.io']
    scripts.push(...hosts)
    connect.push(...hosts, ...(env.SEGMENT_API_HOST ? [`https://${env.SEGMENT_API_HOST}`] : []))
  }
  // Only administrators get the chat widget, and they never see a stored page.
  if (env.INTERCOM_APP_ID && page.nonce) {
    const hosts = [...INTERCOM, ...toOrigins(env.INTERCOM_ENDPOINT)]
    scripts.push(...hosts)
    connect.push(...hosts, 'wss://*.intercom.io')
    images.push(...hosts, 'https://*.intercomassets.com', 'https://*.intercomusercontent.com')
    fonts.push(...hosts)
    frames.push(...hosts)
    // The widget adds style elements that know of no nonce, and with a nonce browsers would ignore the word.
    styles = ["'self'", "'unsafe-inline'"]
  }
  return [
    "default-src 'self'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${styles.join(' ')}`,
    // For values that no stylesheet can know, such as the length of a bar: `tests/architecture/style-attributes.test.ts` lists them.
    "style-src-attr 'unsafe-inline'",
    `img-src ${images.join(' ')}`,
    `font-src ${fonts.join(' ')}`,
    `connect-src ${connect.join(' ')}`,
    `frame-src ${["'self'", ...frames].join(' ')}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${page.framers?.join(' ') ?? (splitLanguage(page.path).path.startsWith('/live-preview/') ? "'self'" : "'none'")}`,
    ...(env.PUBLIC_URL?.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    `report-uri ${POLICY_REPORTS_PATH}`,
  ].join('; ')
}

/** Keeps only whole https origins: nothing else may get into the policy. */
const parseFramedOrigins = (frames: string | null | undefined): string[] =>
  (frames ?? '').split(' ').filter((origin) => /^https:\/\/[a-z0-9.-]+$/.test(origin))

const SCRIPT_ELEMENT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi
const EXECUTABLE_TYPE = /^(module|text\/javascript|application\/javascript|importmap|speculationrules|)$/i

/** Base64 SHA-256 of each inline script that a browser would run. */
export function hashInlineScripts(html: string): string[] {
  const hashes = new Set<string>()
  for (const [, attributes = '', body = ''] of html.matchAll(SCRIPT_ELEMENT)) {
    const type = /\btype\s*=\s*"([^"]*)"/i.exec(attributes)?.[1] ?? ''
    if (/\bsrc\s*=/i.test(attributes) || !EXECUTABLE_TYPE.test(type)) continue
    hashes.add(createHash('sha256').update(body).digest('base64'))
  }
  return [...hashes]
}

const STYLE_ELEMENT = /<style\b[^>]*>([\s\S]*?)<\/style>/gi

/** The same of each style element. */
export function hashInlineStyles(html: string): string[] {
  const bodies = [...html.replace(SCRIPT_ELEMENT, '').matchAll(STYLE_ELEMENT)].map(([, body = '']) => body)
  return [...new Set(bodies)].map((body) => createHash('sha256').update(body).digest('base64'))
}

/** Headers of every response. */
export function buildCommonHeaders(env: Pick<Env, 'PUBLIC_URL'> & Partial<Pick<Env, 'HSTS_SUBDOMAINS'>>): Record<string, string> {
  const hsts = `max-age=31536000${env.HSTS_SUBDOMAINS ? '; includeSubDomains' : ''}`
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(self), payment=(), usb=(), browsing-topics=()',
    'cross-origin-opener-policy': 'same-origin',
    ...(env.PUBLIC_URL?.startsWith('https:') ? { 'strict-transport-security': hsts } : {}),
  }
}

function toOrigins(...addresses: (string | undefined)[]): string[] {
  return addresses.flatMap((address) => (address ? [new URL(address).origin] : []))
}
