import type { Ctx } from './context.ts'

const LOCAL_HOST = /^(localhost|.*\.localhost)$/

/**
 * Absolute URL of a path of the site, for mails, feeds and anything else that leaves the product. Scheme and port are PUBLIC_URL's; without
 * it, a local name means this machine's own port and any other name means https.
 */
export function buildSiteUrl(ctx: Pick<Ctx, 'site' | 'runtime'>, path: string): string {
  const { PUBLIC_URL, PORT } = ctx.runtime.env
  const { host, primaryHost } = ctx.site
  if (LOCAL_HOST.test(host) && !PUBLIC_URL) return `http://${host}:${PORT}${path}`
  const url = new URL(PUBLIC_URL ?? `https://${primaryHost}`)
  url.hostname = primaryHost
  return `${url.origin}${path}`
}

/** True if the site is served over https, so that its cookies must never be sent without it. */
export const isHttps = (ctx: Pick<Ctx, 'site' | 'runtime'>): boolean => buildSiteUrl(ctx, '/').startsWith('https://')
