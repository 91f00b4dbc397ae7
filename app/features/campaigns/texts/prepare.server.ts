import { and, count, eq, inArray, sql } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { firstQuestion } from '#app/features/sms/answering/first-question.server.ts'
import type { Language } from '#app/lib/languages.ts'
import { merged } from '#app/lib/merge-fields.ts'
import { segmentsOf } from '#app/lib/sms-segments.ts'
import { languageOf } from '#app/lib/translated.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects, smsMessages } from '#app/server/db/schema.ts'
import { siteUrl } from '#app/server/site-url.ts'
import type { Reader } from '../audience.server.ts'
import type { StoredCampaign } from '../campaigns.server.ts'
import type { Preparing } from '../preparing.ts'

export const TEXTS: Preparing = {
  isReady: canSendSms,
  write: async (ctx, tx, campaign, readers) => {
    const text = await textFor(ctx, campaign)
    const texts = readers.map((reader) => ({ reader, ...text(reader) }))
    return insertTexts(tx, ctx.site.id, campaign.id, ctx.now(), texts)
  },
  standing: async (ctx, tx, { id }) => {
    const [open] = await tx
      .select({ total: count() })
      .from(smsMessages)
      .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, id), inArray(smsMessages.status, ['waiting', 'sending'])))
    return { open: open?.total ?? 0 }
  },
}

/** Writes texts as one value: making a statement of thousands would cost more than running it. @returns how many were not there before */
async function insertTexts(
  tx: Tx,
  siteId: string,
  campaignId: string,
  now: Date,
  texts: readonly { reader: Reader; body: string; language: Language }[],
): Promise<number> {
  const given = texts.map(({ reader, body, language }) => ({
    id: newId(),
    phone: reader.address,
    user_id: reader.id,
    language,
    body,
    segments: segmentsOf(body).segments,
  }))
  const written = await tx.execute(sql`
    insert into ${smsMessages}
      (site_id, id, direction, purpose, status, phone, user_id, language, body, segments, campaign_id, created_at, next_attempt_at)
    select ${siteId}::uuid, id, 'out', 'campaign', 'waiting', phone, user_id, language, body, segments, ${campaignId}::uuid, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(id uuid, phone text, user_id uuid, language text, body text, segments int)
    on conflict do nothing`)
  return written.rowCount ?? 0
}

/** A campaign's text as each of its readers gets it: in their language, else the site's. */
export async function textFor(
  ctx: Ctx,
  campaign: Pick<StoredCampaign, 'body' | 'projectId' | 'surveyId'>,
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
