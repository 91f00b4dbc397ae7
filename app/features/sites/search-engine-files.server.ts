import type { RequestContext } from '#app/server/request-context.ts'
import { buildRobots, buildSitemap } from './sitemap.server.ts'

/** Files for search engines, as responses. */
export const serveRobots = ({ context }: { context: RequestContext }): Response =>
  new Response(buildRobots(context.ctx), { headers: { 'content-type': 'text/plain; charset=utf-8' } })

export const serveSitemap = async ({ context }: { context: RequestContext }): Promise<Response> =>
  new Response(await buildSitemap(context.ctx), { headers: { 'content-type': 'application/xml; charset=utf-8' } })
