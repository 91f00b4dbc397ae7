import { and, count, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects, smsCampaigns, smsMessages } from '#app/server/db/schema.ts'
import { onEachSite } from '#app/server/jobs/each-site.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { languageOf } from '#app/lib/translated.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Language } from '#app/lib/languages.ts'
import { firstQuestion } from '../answering/first-question.server.ts'
import { merged } from '../merge-fields.ts'
import { segmentsOf } from '../segments.ts'
import type { Reader } from './audience.server.ts'
import { readersAfter } from './audience.server.ts'
import type { Audience } from './campaigns.schema.ts'

/** How many texts are written at once, with the place they end at. */
const BATCH = 2000

type Stored = typeof smsCampaigns.$inferSelect

/** Brings every campaign forward that can be: writes its texts once its time has come, and closes it once none is on its way. @returns how many were under way */
export function runCampaigns(runtime: Runtime): Promise<number> {
  return onEachSite(runtime, async (ctx) => ((await canSendSms(ctx)) ? runOfSite(ctx) : 0))
}

async function runOfSite(ctx: Ctx): Promise<number> {
  const open = await ctx.db.tx(async (tx) => {
    await tx
      .update(smsCampaigns)
      .set({ status: 'preparing' })
      .where(and(eq(smsCampaigns.siteId, ctx.site.id), eq(smsCampaigns.status, 'scheduled'), lte(smsCampaigns.sendAt, ctx.now())))
    return tx
      .select()
      .from(smsCampaigns)
      .where(and(eq(smsCampaigns.siteId, ctx.site.id), inArray(smsCampaigns.status, ['preparing', 'sending'])))
  })
  for (const campaign of open) {
    if (campaign.status === 'preparing') await prepare(ctx, campaign.id)
    else await close(ctx, campaign.id)
  }
  return open.length
}

/** Writes a campaign's texts, some at a time: each with the place they end at, so that whoever goes on after a crash leaves none out. */
async function prepare(ctx: Ctx, id: string): Promise<void> {
  while (await prepareSome(ctx, id));
}

/** @returns whether there is more to do */
function prepareSome(ctx: Ctx, id: string): Promise<boolean> {
  const own = and(eq(smsCampaigns.siteId, ctx.site.id), eq(smsCampaigns.id, id))
  return ctx.db.tx(async (tx) => {
    const [campaign] = await tx.select().from(smsCampaigns).where(own).for('update')
    if (!campaign || campaign.status !== 'preparing') return false
    const audience = { ...campaign, audience: campaign.audience as Audience }
    const { readers, until } = await readersAfter(ctx, tx, audience, campaign.preparedUntil, BATCH)
    const text = await textFor(ctx, campaign)
    const written =
      readers.length === 0
        ? 0
        : await insertTexts(
            tx,
            ctx.site.id,
            id,
            ctx.now(),
            readers.map((reader) => ({ reader, ...text(reader) })),
          )
    await tx
      .update(smsCampaigns)
      .set({ ...(until ? { preparedUntil: until } : { status: 'sending' }), prepared: sql`${smsCampaigns.prepared} + ${written}` })
      .where(own)
    return until !== null
  })
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
    phone: reader.phone,
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
  campaign: Pick<Stored, 'body' | 'projectId' | 'surveyId'>,
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

/** A campaign is over once none of its texts waits or is on its way to a service. */
async function close(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const [open] = await tx
      .select({ total: count() })
      .from(smsMessages)
      .where(and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.campaignId, id), inArray(smsMessages.status, ['waiting', 'sending'])))
    if (open?.total) return
    await tx
      .update(smsCampaigns)
      .set({ status: 'done', finishedAt: ctx.now() })
      .where(
        and(
          eq(smsCampaigns.siteId, ctx.site.id),
          eq(smsCampaigns.id, id),
          eq(smsCampaigns.status, 'sending'),
          isNull(smsCampaigns.finishedAt),
        ),
      )
  })
}
