import { and, eq, inArray, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { BLOCKS } from '#app/features/homepage/homepage.schema.ts'
import { loadEnabledInstallations } from '#app/features/marketplace/installations.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { type ContentLanguage, listContentLanguages } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { fillCampaignMail, buildGiveUpUpdate, HELD_UNTIL } from '#app/server/mail/campaign-mails.ts'
import { queueMailBodies } from '#app/server/mail/outbox.ts'
import { listTextGaps, recordSourceChanges, toGapFaults } from '#app/server/translations.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { countWithoutArea, countUnreachable, streamReaders, READERS_PER_BATCH, loadReaderPage } from '../audience.server.ts'
import {
  requireKnownFields,
  type CampaignRow,
  loadCampaignsById,
  createCampaign,
  listCampaigns,
  scheduleCampaign,
  updateCampaign,
  type CampaignQueue,
} from '../campaigns.server.ts'
import { type ComposedNewsletter, composeNewsletter } from './compose-newsletter.server.ts'
import type { newsletterShape } from './newsletters.api.schema.ts'
import {
  createLanguageChooser,
  type NewsletterBlock,
  newsletterContentSchema,
  findNewsletterGaps,
  listNewsletterTexts,
  readNewsletterBlocks,
} from './newsletters.schema.ts'
import { MAIL_TALLY } from './prepare-newsletter.server.ts'

const newsletterSchema = v.object({ content: newsletterContentSchema })

/** Loads newsletters that the viewer may send or draft. */
export const loadNewslettersById = (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> => loadCampaignsById(ctx, 'email', ids)

/** @throws {AppError} `unauthenticated`, `forbidden` */
export const listNewsletters = (ctx: Ctx, page: { offset: number; limit: number }) => listCampaigns(ctx, 'email', page)

/** @returns its id @throws {AppError} `forbidden`, `invalid` */
export function createNewsletter(ctx: Ctx, input: CreateInput<typeof newsletterShape>): Promise<string> {
  return createCampaign(ctx, 'email', input, parseContent(input))
}

/** Updates a draft. @throws {AppError} `forbidden`, `stale`, `conflict` if it is no longer a draft */
export async function updateNewsletter(
  ctx: Ctx,
  row: CampaignRow,
  input: UpdateInput<typeof newsletterShape>,
  lockVersion: number,
): Promise<void> {
  const { name, audience } = input
  const changes = { ...parseContent(input), ...(name === undefined ? {} : { name }), ...(audience === undefined ? {} : { audience }) }
  const after = { ...row, ...changes }
  await updateCampaign(ctx, row, changes, lockVersion, (tx) =>
    recordSourceChanges(ctx, tx, row.id, listNewsletterTexts(row.subject, row.content), listNewsletterTexts(after.subject, after.content)),
  )
}

/** @throws {AppError} `invalid` with the faults in its blocks, and with unknown merge fields */
function parseContent({ subjectTranslations: subject, content }: { subjectTranslations?: Translated | undefined; content?: unknown }) {
  if (subject) requireKnownFields('subjectTranslations', subject)
  if (content === undefined) return subject ? { subject } : {}
  const { content: checked } = requireValid(newsletterSchema, { content })
  for (const [at, block] of checked.blocks.entries()) requireKnownBlockFields(at, block as NewsletterBlock)
  return { ...(subject ? { subject } : {}), content: checked }
}

function requireKnownBlockFields(at: number, block: NewsletterBlock): void {
  for (const [name, field] of Object.entries(BLOCKS[block.type].fields as Record<string, { kind: string }>)) {
    if (field.kind === 'line' || field.kind === 'text' || field.kind === 'rich')
      requireKnownFields(`content/blocks/${at}/${name}`, (block as unknown as Record<string, Translated>)[name] ?? {})
  }
}

export type NewsletterCounts = Record<'prepared' | 'waiting' | 'accepted' | 'failed' | 'skipped' | 'returned', number>

/** Counts each newsletter's emails by state. For finished newsletters, uses the stored tally, because old emails are deleted. */
export async function countNewsletterMails(ctx: Ctx, rows: readonly CampaignRow[]): Promise<Map<string, NewsletterCounts>> {
  const moving = rows.filter(({ status, tally }) => status !== 'draft' && !tally).map(({ id }) => id)
  const found = moving.length
    ? await ctx.db.read((tx) =>
        tx
          .select({ id: outboxMails.campaignId, ...MAIL_TALLY })
          .from(outboxMails)
          .where(and(eq(outboxMails.siteId, ctx.site.id), inArray(outboxMails.campaignId, moving)))
          .groupBy(outboxMails.campaignId),
      )
    : []
  const came = new Map(found.map(({ id, ...counts }) => [id, counts]))
  return new Map(
    rows.map(({ id, prepared, returned, tally }) => {
      const { waiting, ...rest } = came.get(id) ?? { waiting: 0, accepted: 0, failed: 0, skipped: 0 }
      return [id, { prepared, waiting, ...(tally ?? rest), returned }]
    }),
  )
}

/** Whom a newsletter would reach now. */
export interface NewsletterEstimate {
  id: string
  recipients: number
  languages: { language: ContentLanguage; gets: ContentLanguage; recipients: number }[]
  withoutArea: number | null
  unreachable: number
  delivers: boolean
}

export async function estimateNewsletters(ctx: Ctx, ids: readonly string[]): Promise<NewsletterEstimate[]> {
  return Promise.all((await loadNewslettersById(ctx, ids)).map((row) => estimateNewsletter(ctx, row)))
}

async function estimateNewsletter(ctx: Ctx, row: CampaignRow): Promise<NewsletterEstimate> {
  const gets = getLanguageChooser(ctx, row)
  const counted = new Map<ContentLanguage, number>()
  for await (const readers of streamReaders(ctx, row, READERS_PER_BATCH))
    for (const { locale } of readers) counted.set(locale, (counted.get(locale) ?? 0) + 1)
  return {
    id: row.id,
    recipients: [...counted.values()].reduce((sum, recipients) => sum + recipients, 0),
    languages: [...counted].map(([language, recipients]) => ({ language, gets: gets(language), recipients })),
    withoutArea: await countWithoutArea(ctx, row),
    unreachable: await countUnreachable(ctx, row),
    delivers: Boolean(ctx.runtime.env.SMTP_URL) || (await loadEnabledInstallations(ctx, 'send-mail')).length > 0,
  }
}

const getLanguageChooser = ({ site }: Ctx, { subject, content }: CampaignRow) =>
  createLanguageChooser(
    findNewsletterGaps(subject, readNewsletterBlocks(content), listContentLanguages(site)),
    listContentLanguages(site),
    site.locale,
  )

export interface NewsletterRecipient {
  id: string
  login: string
  email: string
  language: ContentLanguage
}

/** A page of the people a draft would reach now. @throws {AppError} `not-found` */
export async function listNewsletterRecipients(
  ctx: Ctx,
  query: { campaign: string; offset: number; limit: number },
): Promise<{ rows: NewsletterRecipient[]; total: number }> {
  const row = await requireNewsletter(ctx, query.campaign)
  const gets = getLanguageChooser(ctx, row)
  const { readers, total } = await loadReaderPage(ctx, row, query)
  return {
    rows: readers.map(({ id, login, address, locale }) => ({ id, login, email: address, language: gets(locale) })),
    total,
  }
}

/** @throws {AppError} `not-found` */
async function requireNewsletter(ctx: Ctx, id: string): Promise<CampaignRow> {
  const [row] = await loadNewslettersById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * Sends a newsletter now or at the given time. Other languages may be incomplete if that is waived: their readers get it in the site's.
 * @throws {AppError} `forbidden`, even if the viewer may draft it; `conflict` if it was already sent; `invalid` with what it lacks: in the
 * site's language everything is needed
 */
export async function sendNewsletter(
  ctx: Ctx,
  input: { campaign: string; sendAt?: Date | null | undefined; waived?: readonly string[] | undefined },
): Promise<string> {
  const row = await requireNewsletter(ctx, input.campaign)
  await scheduleCampaign(ctx, row, input.sendAt, async (tx) => {
    const gaps = await listTextGaps(ctx, tx, row.id, listNewsletterTexts(row.subject, row.content))
    const left = gaps.filter(({ name, language }) => language === ctx.site.locale || !input.waived?.includes(name))
    const faults: Fault[] = [
      ...toGapFaults(left),
      ...(readNewsletterBlocks(row.content).length ? [] : [{ code: 'required' as const, pointer: '/content' }]),
    ]
    if (faults.length) throw new AppError('invalid', { faults })
  })
  return row.id
}

/** Newsletters that have been scheduled, whatever their state now. */
export const loadNewsletterSendingsById = async (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> =>
  (await loadNewslettersById(ctx, ids)).filter(({ status }) => status !== 'draft')

const buildWaitingCondition = (ctx: Ctx, campaignId: string) =>
  and(eq(outboxMails.siteId, ctx.site.id), eq(outboxMails.campaignId, campaignId), isNull(outboxMails.sentAt), isNull(outboxMails.fault))

export const NEWSLETTER_QUEUE: CampaignQueue = {
  hold: (ctx, tx, id) =>
    tx
      .update(outboxMails)
      .set({ nextAttemptAt: HELD_UNTIL })
      .where(and(buildWaitingCondition(ctx, id), isNull(outboxMails.handedAt))),
  release: (ctx, tx, id) =>
    tx
      .update(outboxMails)
      .set({ nextAttemptAt: ctx.now() })
      .where(and(buildWaitingCondition(ctx, id), eq(outboxMails.nextAttemptAt, HELD_UNTIL))),
  drop: (ctx, tx, id) =>
    tx
      .update(outboxMails)
      .set(buildGiveUpUpdate('campaign-cancelled'))
      .where(and(buildWaitingCondition(ctx, id), isNull(outboxMails.handedAt))),
}

/**
 * Sends the newsletter to the viewer's own address in one language.
 * @throws {AppError} `not-found`, `too-many-requests`, `invalid` if it has no subject in that language
 */
export async function sendTestNewsletter(ctx: Ctx, input: { campaign: string; language: ContentLanguage }): Promise<void> {
  const row = await requireNewsletter(ctx, input.campaign)
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  await countAttempt(ctx, [{ name: 'newsletter-test', of: viewer.id, most: 20, minutes: 60 }])
  const { language } = input
  const blocks = readNewsletterBlocks(row.content)
  const said = await composeNewsletter(ctx, { ...row, blocks }, language)
  if (!said.subject.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: `/subjectTranslations/${language}` }] })
  // A test message cannot unsubscribe anybody: its link leads to the viewer's own account.
  const { subject, bodyText, bodyHtml } = fillCampaignMail(said, {
    recipientName: viewer.login,
    leaveUrl: buildSiteUrl(ctx, `/${language}/account/profile`),
  })
  await ctx.db.tx((tx) =>
    queueMailBodies(ctx, tx, {
      kind: 'newsletter-test',
      to: viewer.email,
      userId: viewer.siteId === ctx.site.id ? viewer.id : null,
      language,
      subject,
      text: bodyText,
      html: bodyHtml,
    }),
  )
}

/** Renders an unsaved draft. @throws {AppError} `not-found` */
export async function previewNewsletter(
  ctx: Ctx,
  input: { campaign: string; subject: Translated; content: unknown; language: ContentLanguage },
): Promise<ComposedNewsletter> {
  const row = await requireNewsletter(ctx, input.campaign)
  const said = await composeNewsletter(ctx, { ...row, subject: input.subject, blocks: readNewsletterBlocks(input.content) }, input.language)
  const login = ctx.viewer.kind === 'user' ? ctx.viewer.login : ''
  return fillCampaignMail(said, { recipientName: login, leaveUrl: buildSiteUrl(ctx, `/${input.language}/account/profile`) })
}
