import type { RequestContext } from '#app/server/request-context.ts'
import { robots, sitemap } from './sitemap.server.ts'

/** What search engines read, as answers. */
export const robotsFile = ({ context }: { context: RequestContext }): Response =>
  new Response(robots(context.ctx), { headers: { 'content-type': 'text/plain; charset=utf-8' } })

export const sitemapFile = async ({ context }: { context: RequestContext }): Promise<Response> =>
  new Response(await sitemap(context.ctx), { headers: { 'content-type': 'application/xml; charset=utf-8' } })
