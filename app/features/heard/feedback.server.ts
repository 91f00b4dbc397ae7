import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { createUpdate } from '#app/features/updates/updates.editing.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { findNewestPublication } from './decisions-page.server.ts'
import { requireProjectFor } from './heard.policy.server.ts'

/**
 * Drafts an update of the project that says what was decided, in each language of the site. Publishing it shows how many people are notified,
 * and notifies those who follow the project and agreed to it, by the same queue as every update.
 * @returns the update's id
 * @throws {AppError} `not-found`, `forbidden`; `not-published` before the decisions are
 */
export async function draftFeedbackUpdate(ctx: Ctx, projectId: string): Promise<string> {
  const { slug, rows } = await loadPublishedDecisions(ctx, projectId)
  const write = (language: Language): string => {
    const t = getTranslator(language, 'heard')
    const lines = rows.map(({ title, outcome }) => `- ${getTranslation(title, language, ctx.site.locale)} (${t(`outcomes.${outcome}`)})`)
    return [t('lead'), lines.join('\n'), `[${t('title')}](${buildDecisionsPath(ctx, slug, language)})`].join('\n\n')
  }
  return createUpdate(ctx, {
    id: createId(),
    project: projectId,
    titleTranslations: writeInEach(ctx, (language) => getTranslator(language, 'heard')('title')),
    bodyTranslations: writeInEach(ctx, write),
  })
}

export interface FeedbackText {
  name: string
  bodyTranslations: Translated
}

/**
 * A text message that leads to the decisions, in each language of the site: the content of a campaign, which shows who would get it and what it
 * costs, and reaches only people who agreed to texts.
 * @throws {AppError} `not-found`, `forbidden`; `not-published` before the decisions are
 */
export async function composeFeedbackText(ctx: Ctx, projectId: string): Promise<FeedbackText> {
  const { slug, title } = await loadPublishedDecisions(ctx, projectId)
  const write = (language: Language): string =>
    getTranslator(language, 'heard')('text-message', {
      site: ctx.site.name,
      project: getTranslation(title, language, ctx.site.locale),
      link: buildSiteUrl(ctx, buildDecisionsPath(ctx, slug, language)),
    })
  return { name: getTranslator(ctx.language, 'heard')('title'), bodyTranslations: writeInEach(ctx, write) }
}

const loadPublishedDecisions = (ctx: Ctx, projectId: string) =>
  ctx.db.read(async (tx) => {
    const { slug, title } = await requireProjectFor(ctx, tx, 'projects.edit', projectId)
    if (!(await findNewestPublication(ctx, tx, projectId))) throw new AppError('not-published')
    const rows = await tx
      .select({ title: decisions.title, outcome: decisions.outcome })
      .from(decisions)
      .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, projectId), isNotNull(decisions.publishedAt)))
      .orderBy(asc(decisions.number))
    return { slug, title, rows }
  })

const buildDecisionsPath = ({ site }: Ctx, slug: string, language: Language): string =>
  `${language === site.locale ? '' : `/${language}`}/projects/${slug}/decisions`

const writeInEach = ({ site }: Ctx, write: (language: Language) => string): Translated =>
  Object.fromEntries(site.languages.map((language) => [language, write(language)]))
