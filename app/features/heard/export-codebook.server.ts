import { v5 } from 'uuid'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { escapeXml } from '#app/lib/escape-html.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import { STANCES } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { yieldOnce } from '#app/server/yield-once.ts'
import { requireProjectFor } from './heard.policy.server.ts'
import { loadProjectThemes, resolveMerges, type ThemeRow } from './theme-figures.server.ts'

/**
 * The themes of a project as a REFI-QDA codebook, which programs for qualitative analysis read. It has no words of anybody. Audited.
 * Download route.
 */
export function serveCodebook({ context: { ctx }, params }: { context: RequestContext; params: { id: string } }): Promise<Response> {
  return createFileResponse(ctx, async () => {
    if (!isId(params.id)) throw new AppError('not-found')
    const { slug, themes } = await ctx.db.tx(async (tx) => {
      const project = await requireProjectFor(ctx, tx, 'responses.see', params.id)
      const rows = await loadProjectThemes(ctx, tx, project.id)
      // A codebook has at least one code.
      if (rows.length === 0) throw new AppError('not-found')
      await recordAudit(ctx, tx, {
        action: 'themes.export',
        subject: { type: 'projects', id: project.id },
        hubId: project.hubId,
        projectId: project.id,
        detail: { format: 'qdc' },
      })
      return { slug: project.slug, themes: rows }
    })
    const bytes = new TextEncoder().encode(writeCodebook(ctx, params.id, themes))
    return { filename: `${slug}.qdc`, type: 'application/xml; charset=utf-8', bytes: bytes.length, pieces: yieldOnce(bytes) }
  })
}

/** As the schema of REFI-QDA 1.0 for codebooks has it. The same themes are the same file, so that programs recognise their codes. */
function writeCodebook(ctx: Ctx, projectId: string, rows: readonly ThemeRow[]): string {
  const { language, contentLanguage, site } = ctx
  const t = getTranslator(language, 'heard-admin')
  const ends = resolveMerges(rows)
  const whole = rows.filter(({ mergedInto }) => mergedInto === null)
  const ids = new Set(whole.map(({ id }) => id))
  const findParent = ({ id, parentId }: ThemeRow): string | undefined => {
    const parent = parentId === null ? undefined : ends.get(parentId)
    return parent !== undefined && parent !== id && ids.has(parent) ? parent : undefined
  }
  const children = Map.groupBy(whole, findParent)
  const writeCode = (row: ThemeRow): string => {
    const description = getTranslation(row.description, contentLanguage, site.locale)
    const name = getTranslation(row.title, contentLanguage, site.locale)
    const inner = [
      ...(description ? [`<Description>${escapeXml(description)}</Description>`] : []),
      ...(children.get(row.id) ?? []).map(writeCode),
    ].join('')
    return `<Code guid="${row.id}" name="${escapeXml(name)}" isCodable="true">${inner}</Code>`
  }
  const sets = STANCES.map((stance) => {
    const members = whole.filter((row) => row.stance === stance).map(({ id }) => `<MemberCode guid="${id}"/>`)
    const guid = v5(`stances/${stance}`, projectId)
    return members.length === 0 ? '' : `<Set guid="${guid}" name="${escapeXml(t(`stances.${stance}`))}">${members.join('')}</Set>`
  }).join('')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<CodeBook xmlns="urn:QDA-XML:codebook:1.0" origin="Parley">',
    `<Codes>${(children.get(undefined) ?? []).map(writeCode).join('')}</Codes>`,
    `<Sets>${sets}</Sets>`,
    '</CodeBook>\n',
  ].join('')
}
