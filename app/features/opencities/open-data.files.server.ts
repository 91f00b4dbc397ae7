import { createHash } from 'node:crypto'
import { isAppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { translator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { dcatAp, dcatUs, RESULTS_LICENCE, resultsAddress } from './catalogue.server.ts'
import { resultsFeed } from './results-feed.server.ts'
import { type OpenVersion, readOpenResults } from './open-versions.server.ts'
import { aboutLines, resultsCsv } from './results-out.server.ts'

interface Asked<Params = object> {
  context: RequestContext
  request: Request
  params: Params
}
/** The newest version where none is named. */
type OneResult = { project: string; survey: string; version?: string }

export const dcatUsFile = async ({ context, request }: Asked): Promise<Response> =>
  answer(request, JSON.stringify(await dcatUs(context.ctx)), 'application/json; charset=utf-8')

export const dcatApFile = async ({ context, request }: Asked): Promise<Response> =>
  answer(request, JSON.stringify(await dcatAp(context.ctx)), 'application/ld+json; charset=utf-8')

export const resultsFeedFile = async ({ context, request }: Asked): Promise<Response> =>
  answer(request, await resultsFeed(context.ctx), 'application/atom+xml; charset=utf-8')

export const resultsCsvFile = ({ context, request, params }: Asked<OneResult>): Promise<Response> =>
  orFault(context, async () => answer(request, resultsCsv((await readOpenResults(context.ctx, params)).lines), 'text/csv; charset=utf-8'))

export const resultsJsonFile = ({ context, request, params }: Asked<OneResult>): Promise<Response> =>
  orFault(context, async () => {
    const { ctx } = context
    const { result, version, versions, lines, areas } = await readOpenResults(ctx, params)
    const addresses = (one: OpenVersion) => ({
      csv: resultsAddress(ctx, result, 'csv', one.version),
      json: resultsAddress(ctx, result, 'json', one.version),
    })
    const body = {
      title: localiseText(result.title, ctx.language, ctx.site.locale).text,
      publisher: ctx.site.name,
      licence: RESULTS_LICENCE,
      page: siteUrl(ctx, `/projects/${params.project}/surveys/${params.survey}/results`),
      version: version?.version ?? null,
      modified: version?.madeAt ?? null,
      counted: version?.countedAt ?? null,
      responses: version?.responses ?? null,
      // Newest first; an older one does not know those that came after it.
      versions: versions
        .filter((one) => version && one.madeAt <= version.madeAt)
        .map((one) => ({ version: one.version, modified: one.madeAt, responses: one.responses, ...addresses(one) })),
      ...aboutLines,
      results: lines,
      // Of those who say where they live; a number too small to be published is null.
      areas,
    }
    return answer(request, JSON.stringify(body), 'application/json; charset=utf-8')
  })

/** Public, for everybody and from everywhere; the tag changes with the content alone. */
function answer(request: Request, body: string, type: string): Response {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  const headers = { 'content-type': type, 'cache-control': 'public, no-cache', 'access-control-allow-origin': '*', etag }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(body, { headers })
}

async function orFault({ ctx }: RequestContext, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error)) throw error
    return new Response(translator(ctx.language, 'errors')(`codes.${error.code}`), {
      status: error.status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
    })
  }
}
