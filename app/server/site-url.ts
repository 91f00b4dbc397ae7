import type { Ctx } from './context.ts'

const LOCAL_HOST = /^(localhost|.*\.localhost)$/

/**
 * Whole address of a path of the site, for mails, feeds and whatever else leaves the product. Scheme and port are those of
 * PUBLIC_URL; without it the site is taken to be on this machine's own port, or behind https where its name is not a local one.
 */
export function buildSiteUrl(ctx: Pick<Ctx, 'site' | 'runtime'>, path: string): string {
  const { PUBLIC_URL, PORT } = ctx.runtime.env
  const { host, primaryHost } = ctx.site
  if (LOCAL_HOST.test(host) && !PUBLIC_URL) return `http://${host}:${PORT}${path}`
  const url = new URL(PUBLIC_URL ?? `https://${primaryHost}`)
  url.hostname = primaryHost
  return `${url.origin}${path}`
}

/** Whether the site is served over https, so that its cookies must never travel without. */
export const isHttps = (ctx: Pick<Ctx, 'site' | 'runtime'>): boolean => buildSiteUrl(ctx, '/').startsWith('https://')
