import { OPEN_LICENCE } from '#app/lib/open-licence.ts'
import { createHash } from 'node:crypto'
import { isAppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { buildDcatAp, buildDcatUs, buildResultsUrl } from './dcat-catalogue.server.ts'
import { buildResultsFeed } from './results-feed.server.ts'
import { type OpenVersion, readOpenResults } from './open-versions.server.ts'
import { linesDescription, formatResultsCsv } from './open-results.server.ts'

interface FileRequest<Params = object> {
  context: RequestContext
  request: Request
  params: Params
}
/** The newest version if none is given. */
type ResultParams = { project: string; survey: string; version?: string }

export const serveDcatUs = async ({ context, request }: FileRequest): Promise<Response> =>
  respondWithEtag(request, JSON.stringify(await buildDcatUs(context.ctx)), 'application/json; charset=utf-8')

export const serveDcatAp = async ({ context, request }: FileRequest): Promise<Response> =>
  respondWithEtag(request, JSON.stringify(await buildDcatAp(context.ctx)), 'application/ld+json; charset=utf-8')

export const serveResultsFeed = async ({ context, request }: FileRequest): Promise<Response> =>
  respondWithEtag(request, await buildResultsFeed(context.ctx), 'application/atom+xml; charset=utf-8')

export const serveResultsCsv = ({ context, request, params }: FileRequest<ResultParams>): Promise<Response> =>
  respondOrFault(context, async () =>
    respondWithEtag(request, formatResultsCsv((await readOpenResults(context.ctx, params)).lines), 'text/csv; charset=utf-8'),
  )

export const serveResultsJson = ({ context, request, params }: FileRequest<ResultParams>): Promise<Response> =>
  respondOrFault(context, async () => {
    const { ctx } = context
    const { result, version, versions, lines, areas } = await readOpenResults(ctx, params)
    const buildFileUrls = (one: OpenVersion) => ({
      csv: buildResultsUrl(ctx, result, 'csv', one.version),
      json: buildResultsUrl(ctx, result, 'json', one.version),
    })
    const body = {
      title: localiseText(result.title, ctx.contentLanguage, ctx.site.locale).text,
      publisher: ctx.site.name,
      licence: OPEN_LICENCE,
      page: buildSiteUrl(ctx, `/projects/${params.project}/surveys/${params.survey}/results`),
      version: version?.version ?? null,
      modified: version?.madeAt ?? null,
      counted: version?.countedAt ?? null,
      responses: version?.responses ?? null,
      // Newest first; a version does not list later ones.
      versions: versions
        .filter((one) => version && one.madeAt <= version.madeAt)
        .map((one) => ({ version: one.version, modified: one.madeAt, responses: one.responses, ...buildFileUrls(one) })),
      ...linesDescription,
      results: lines,
      // Only people who said where they live; numbers too small to publish are null.
      areas,
    }
    return respondWithEtag(request, JSON.stringify(body), 'application/json; charset=utf-8')
  })

/** Public and readable from any origin; the ETag only changes with the content. */
function respondWithEtag(request: Request, body: string, type: string): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = { 'content-type': type, 'cache-control': 'public, no-cache', 'access-control-allow-origin': '*', etag }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

async function respondOrFault({ ctx }: RequestContext, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    return new Response(getTranslator(ctx.language, 'errors')(`codes.${error.code}`), {
      status: error.status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
    })
  }
}
