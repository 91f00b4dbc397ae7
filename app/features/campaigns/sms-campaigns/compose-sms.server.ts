import { and, eq } from 'drizzle-orm'
import { findFirstQuestion } from '#app/features/sms/answering/first-question.server.ts'
import { type ContentLanguage, listContentLanguages, toInterfaceLanguage } from '#app/lib/languages.ts'
import { fillMergeFields } from '#app/lib/merge-fields.ts'
import { measureSegments } from '#app/lib/sms-segments.ts'
import { findTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { type AudienceQuery, streamReaders, READERS_PER_BATCH, type Reader } from '../audience.server.ts'
import { createLinkCollector, replaceLinks } from '../links/message-links.server.ts'
import type { StoredCampaign } from '../campaigns.server.ts'

type SmsContent = Pick<StoredCampaign, 'body' | 'projectId' | 'surveyId'>

/**
 * Returns a function that renders the campaign's text for a reader: in their language, or else in the site's. One that ends with a survey's
 * question goes out in the languages of the interface only, because they are the ones in which answers by text are asked for and understood.
 */
export async function createTextComposer(
  ctx: Ctx,
  campaign: SmsContent,
): Promise<(reader: Pick<Reader, 'login' | 'locale'>) => { body: string; language: ContentLanguage }> {
  const { projectId, surveyId } = campaign
  const [project] = projectId
    ? await ctx.db.read((tx) =>
        tx
          .select({ slug: projects.slug })
          .from(projects)
          .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId))),
      )
    : []
  const link = buildSiteUrl(ctx, project ? `/projects/${project.slug}` : '/')
  const { body } = campaign
  const asked = surveyId ? await ctx.db.read((tx) => findFirstQuestion(ctx, tx, surveyId)) : undefined
  const offered: readonly ContentLanguage[] = surveyId ? ctx.site.languages : listContentLanguages(ctx.site)
  return ({ login, locale }) => {
    const read = offered.includes(locale) ? locale : ctx.site.locale
    const found = findTranslation(body, read, ctx.site.locale)
    const language = found?.language ?? ctx.site.locale
    const text = fillMergeFields(found?.text ?? '', { name: login, site: ctx.site.name, link })
    return { body: text && asked ? `${text}\n${asked[toInterfaceLanguage(language, ctx.site.locale)]}` : text, language }
  }
}

/** Counts recipients and text messages by language, rendering each text as its reader would get it. */
export async function countByLanguage(
  ctx: Ctx,
  campaign: SmsContent & AudienceQuery,
): Promise<Map<ContentLanguage, { recipients: number; segments: number }>> {
  const text = await createTextComposer(ctx, campaign)
  // As long as the links that it is sent with.
  const { shorten } = createLinkCollector(ctx)
  const shortenAlike = (body: string) => replaceLinks(body, shorten)
  const byLanguage = new Map<ContentLanguage, { recipients: number; segments: number }>()
  for await (const readers of streamReaders(ctx, campaign, READERS_PER_BATCH)) {
    for (const reader of readers) {
      const { body, language } = text(reader)
      const so = byLanguage.get(language) ?? { recipients: 0, segments: 0 }
      byLanguage.set(language, { recipients: so.recipients + 1, segments: so.segments + measureSegments(shortenAlike(body)).segments })
    }
  }
  return byLanguage
}
