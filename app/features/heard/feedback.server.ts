import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { createUpdate } from '#app/features/updates/updates.editing.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { findNewestPublication } from './decisions-page.server.ts'
import { requireProjectFor } from './heard.policy.server.ts'

/**
 * Drafts an update of the project that says what was decided, in each language of the site. Publishing it shows how many people are notified,
 * and notifies those who follow the project and agreed to it, by the same queue as every update.
 * @returns the update's id
 * @throws {AppError} `not-found`, `forbidden`; `not-published` before the decisions are
 */
export async function draftFeedbackUpdate(ctx: Ctx, projectId: string): Promise<string> {
  const texts = await ctx.db.read(async (tx) => {
    const project = await requireProjectFor(ctx, tx, 'projects.edit', projectId)
    if (!(await findNewestPublication(ctx, tx, projectId))) throw new AppError('not-published')
    const rows = await tx
      .select({ number: decisions.number, title: decisions.title, outcome: decisions.outcome })
      .from(decisions)
      .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, projectId), isNotNull(decisions.publishedAt)))
      .orderBy(asc(decisions.number))
    const write = (language: Language): string => {
      const t = getTranslator(language, 'heard')
      const prefix = language === ctx.site.locale ? '' : `/${language}`
      const lines = rows.map(({ title, outcome }) => `- ${getTranslation(title, language, ctx.site.locale)} (${t(`outcomes.${outcome}`)})`)
      return [t('lead'), lines.join('\n'), `[${t('title')}](${prefix}/projects/${project.slug}/decisions)`].join('\n\n')
    }
    const inEach = (text: (language: Language) => string): Translated =>
      Object.fromEntries(ctx.site.languages.map((language) => [language, text(language)]))
    return { title: inEach((language) => getTranslator(language, 'heard')('title')), body: inEach(write) }
  })
  return createUpdate(ctx, { id: createId(), project: projectId, titleTranslations: texts.title, bodyTranslations: texts.body })
}
