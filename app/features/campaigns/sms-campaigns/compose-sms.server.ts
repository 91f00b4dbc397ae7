import { and, eq } from 'drizzle-orm'
import { firstQuestion } from '#app/features/sms/answering/first-question.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { merged } from '#app/lib/merge-fields.ts'
import { segmentsOf } from '#app/lib/sms-segments.ts'
import { languageOf } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { type AudienceOf, everyReader, LOOKED_AT, type Reader } from '../audience.server.ts'
import type { StoredCampaign } from '../campaigns.server.ts'

type Said = Pick<StoredCampaign, 'body' | 'projectId' | 'surveyId'>

/** A campaign's text as each of its readers gets it: in their language, else the site's. */
export async function textFor(
  ctx: Ctx,
  campaign: Said,
): Promise<(reader: Pick<Reader, 'login' | 'locale'>) => { body: string; language: Language }> {
  const { projectId, surveyId } = campaign
  const [project] = projectId
    ? await ctx.db.tx((tx) =>
        tx
          .select({ slug: projects.slug })
          .from(projects)
          .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId))),
      )
    : []
  const link = siteUrl(ctx, project ? `/projects/${project.slug}` : '/')
  const { body } = campaign
  const asked = surveyId ? await ctx.db.tx((tx) => firstQuestion(ctx, tx, surveyId)) : undefined
  return ({ login, locale }) => {
    const found = languageOf(body, locale, ctx.site.locale)
    const language = found?.language ?? ctx.site.locale
    const text = merged(found?.text ?? '', { name: login, site: ctx.site.name, link })
    return { body: text && asked ? `${text}\n${asked[language]}` : text, language }
  }
}

/** How many people of each language a campaign would reach now, and how many texts that is: each counted as its reader would get it. */
export async function countTexts(ctx: Ctx, campaign: Said & AudienceOf): Promise<Map<Language, { recipients: number; segments: number }>> {
  const text = await textFor(ctx, campaign)
  const byLanguage = new Map<Language, { recipients: number; segments: number }>()
  for await (const readers of everyReader(ctx, campaign, LOOKED_AT)) {
    for (const reader of readers) {
      const { body, language } = text(reader)
      const so = byLanguage.get(language) ?? { recipients: 0, segments: 0 }
      byLanguage.set(language, { recipients: so.recipients + 1, segments: so.segments + segmentsOf(body).segments })
    }
  }
  return byLanguage
}
