import { and, eq } from 'drizzle-orm'
import { isAppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { requireVisibleProject } from '../projects.policy.server.ts'
import { buildContentKey, type DocumentRow } from './documents.server.ts'

/** Nothing in a file may execute, whatever type a browser takes it for. */
const POLICY = "default-src 'none'; sandbox"

interface FileRequest {
  context: RequestContext
  params: { _splat?: string }
  request: Request
}

/** A project's document as a download, for those who may see the project right now; not found for everybody else. */
export async function serveDocument({ context: { ctx }, params, request }: FileRequest): Promise<Response> {
  const nothing = new Response(null, { status: 404, headers: { 'cache-control': 'private, no-store' } })
  const { _splat: path = '' } = params
  const [id = '', ending] = path.split('.')
  const row = isId(id) ? await findVisibleDocument(ctx, id, new URL(request.url).searchParams.get('preview') ?? undefined) : undefined
  if (!row?.content || !row.file.endsWith(`.${ending}`)) return nothing
  const headers = {
    'cache-control': 'private, no-cache',
    etag: `"${row.content}"`,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  }
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
  const bytes = await openStorage(ctx.runtime.env).get(`${buildContentKey(ctx.site.id, row.content)}/file`)
  if (!bytes) return nothing
  const name = `${
    getTranslation(row.title, row.language ?? ctx.contentLanguage, ctx.site.locale)
      .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
      .trim() || 'document'
  }.${ending}`
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...headers,
      'content-type': row.mediaType,
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="document.${ending}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.codePointAt(0)?.toString(16).toUpperCase()}`)}`,
    },
  })
}

function findVisibleDocument(ctx: Ctx, id: string, preview: string | undefined): Promise<DocumentRow | undefined> {
  return ctx.db.read(async (tx) => {
    const [found] = await tx
      .select({ document: projectDocuments, project: projects })
      .from(projectDocuments)
      .innerJoin(projects, and(eq(projects.siteId, projectDocuments.siteId), eq(projects.id, projectDocuments.projectId)))
      .where(and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.id, id)))
    if (!found) return undefined
    try {
      await requireVisibleProject(ctx, tx, found.project, preview)
      return found.document
    } catch (error) {
      if (isAppError(error)) return undefined
      throw error
    }
  })
}
