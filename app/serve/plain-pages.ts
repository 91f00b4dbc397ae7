import { createHash } from 'node:crypto'
import type { Language } from '../lib/languages.ts'
import { getTranslator } from '../server/i18n.ts'
import { RETRY_AFTER_SECONDS } from '../server/retry-after.ts'

/** Fallback pages that need no site, no database and no script. */
export type PlainPage =
  | 'no-site'
  | 'no-embed'
  | 'bad-request'
  | 'forbidden'
  | 'too-large'
  | 'method'
  | 'internal'
  | 'unavailable'
  | 'busy'
  | 'moving'

export const PLAIN_STATUS: Record<PlainPage, number> = {
  'no-site': 404,
  'no-embed': 403,
  'bad-request': 400,
  forbidden: 403,
  'too-large': 413,
  method: 405,
  internal: 500,
  unavailable: 503,
  busy: 503,
  moving: 503,
}

const STYLE = `:root{color-scheme:light dark;--paper:#faf8f3;--ink:#16202a;--soft:#4c5560;--primary:#14516b;--on:#fff;--wash:#e6eef1}
@media(prefers-color-scheme:dark){:root{--paper:#12181e;--ink:#f1efe9;--soft:#b6bcc2;--primary:#8cc5dc;--on:#0d2430;--wash:#1b2730}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--paper);color:var(--ink);font:400 1.0625rem/1.6 'Public Sans Variable',system-ui,sans-serif}
main{max-width:34rem;padding:clamp(1.75rem,6vw,3.25rem);background:var(--wash);border-radius:1.25rem 1.25rem 1.25rem .25rem}
svg{width:3.5rem;height:3.5rem;display:block;margin-bottom:1.5rem}
h1{margin:0 0 .9rem;font:620 clamp(1.6rem,1.2rem + 2vw,2.3rem)/1.15 'Source Serif 4',Georgia,serif;letter-spacing:-.012em;text-wrap:balance}
p{margin:0 0 1.2rem;text-wrap:pretty}
small{color:var(--soft);font-size:.9rem}
a{display:inline-block;padding:.9rem 1.3rem;border-radius:1.25rem 1.25rem 1.25rem .25rem;background:var(--primary);color:var(--on);font-weight:640;line-height:1;text-decoration:none}
a:focus-visible{outline:3px solid #d94f35;outline-offset:3px}`

const LOGO_SVG = `<svg viewBox="0 0 40 40" aria-hidden="true"><path d="M13 0h14a13 13 0 0 1 13 13v14a13 13 0 0 1-13 13H2.4A2.4 2.4 0 0 1 0 37.6V13A13 13 0 0 1 13 0Z" fill="var(--primary)"/><path d="M9 24.5c6-8 10 3 15.5-3.5S29 14 31.5 14" fill="none" stroke="var(--on)" stroke-width="3.2" stroke-linecap="round"/></svg>`

/** A plain page may load and run nothing; its only style is allowed by hash. */
export const PLAIN_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function renderPlainPage(page: PlainPage, language: Language, requestId?: string): string {
  const t = getTranslator(language, 'errors')
  const again = page === 'unavailable' || page === 'busy' || page === 'moving' || page === 'internal'
  const away = page === 'no-embed' ? ' target="_blank" rel="noopener"' : ''
  const link =
    page === 'no-site' ? '' : again ? `<p><a href="">${t('plain.try-again')}</a></p>` : `<p><a href="/"${away}>${t('plain.home')}</a></p>`
  const reference = page === 'internal' && requestId ? `<p><small>${t('plain.number', { id: requestId })}</small></p>` : ''
  const refresh = page === 'unavailable' ? `<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}">` : ''
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">${refresh}<title>${t(`plain.${page}.title`)}</title><style>${STYLE}</style></head>
<body><main>${LOGO_SVG}<h1>${t(`plain.${page}.title`)}</h1><p>${t(`plain.${page}.text`)}</p>${link}${reference}</main></body></html>
`
}

export function createPlainResponse(page: PlainPage, language: Language, requestId?: string, status = PLAIN_STATUS[page]): Response {
  return new Response(renderPlainPage(page, language, requestId), { status, headers: buildPlainHeaders(page, language) })
}

/** The page for an error status without a page of its own. */
export function selectPlainPage(status: number): PlainPage {
  if (status === 503) return 'unavailable'
  if (status >= 500) return 'internal'
  return status === 403 ? 'forbidden' : status === 405 ? 'method' : status === 413 ? 'too-large' : 'bad-request'
}

export function buildPlainHeaders(page: PlainPage, language: Language): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'cache-control': 'no-store',
    // A site that may not frame us shows the explanation in its frame.
    'content-security-policy': page === 'no-embed' ? PLAIN_POLICY.replace("frame-ancestors 'none'", 'frame-ancestors *') : PLAIN_POLICY,
    ...(PLAIN_STATUS[page] === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}),
  }
}
