import { recordPersonalDownload, requireDownloadReason } from '#app/features/audit/audit.server.ts'
import { requireProjectFor } from '#app/features/heard/heard.policy.server.ts'
import { computeExpiry } from '#app/features/surveys/export/exports.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId, isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { seeOther } from '#app/server/forms.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'

const STEPS = 3

/** Download route: asks for the codes of a project as a workbook, which the job of exports makes; a page shows how far it is. */
export async function serveCodes({ context: { ctx }, params }: { context: RequestContext; params: { id: string } }): Promise<Response> {
  try {
    return seeOther(`/${ctx.language}/report-files/${await requestCodes(ctx, params.id)}`)
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}

/**
 * Has the workbook of codes made: what people wrote with its passages and themes, the themes, and the decisions. What people write can say who they
 * are, so the trail keeps the reason.
 * @returns id of the file
 * @throws {AppError} `not-found`, `unauthenticated`, `forbidden`, `reason-required`
 */
export async function requestCodes(ctx: Ctx, projectId: string): Promise<string> {
  if (!isId(projectId)) throw new AppError('not-found')
  const { viewer } = ctx
  const id = createId()
  const now = ctx.now()
  await ctx.db.tx(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'responses.see', projectId)
    if (viewer.kind !== 'user') throw new AppError('unauthenticated')
    await recordPersonalDownload(ctx, tx, {
      action: 'themes.export',
      subject: { type: 'projects', id: project.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { format: 'xlsx', export: id },
    })
    const t = getTranslator(ctx.language, 'heard-admin')
    const title = t('codes-of', { project: getTranslation(project.title, ctx.contentLanguage, ctx.site.locale) })
    await tx.insert(surveyExports).values({
      siteId: ctx.site.id,
      id,
      createdBy: viewer.id,
      format: 'xlsx',
      language: ctx.language,
      reason: requireDownloadReason(ctx),
      total: STEPS,
      createdAt: now,
      expiresAt: computeExpiry(now),
      report: { title, query: '', projects: [project.id], codes: { project: project.id, filename: `${project.slug}-codes.xlsx` } },
    })
  })
  return id
}
