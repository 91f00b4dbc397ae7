import { and, eq, inArray, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { BLOCKS } from '#app/features/homepage/homepage.schema.ts'
import { enabledWith } from '#app/features/marketplace/installations.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { parse } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import { outboxMails } from '#app/server/db/schema.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { filled, givenUp, HELD_UNTIL } from '#app/server/mail/campaign-mails.ts'
import { queueBodies } from '#app/server/mail/outbox.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { countUnplaced, countUnreachable, everyReader, LOOKED_AT, readersPage } from '../audience.server.ts'
import {
  assertFields,
  type CampaignRow,
  campaignsById,
  createCampaign,
  listCampaigns,
  scheduleCampaign,
  updateCampaign,
  type Waiting,
} from '../campaigns.server.ts'
import { type Composed, composeLetter } from './compose-newsletter.server.ts'
import type { newsletterShape } from './newsletters.api.schema.ts'
import { languageFor, type LetterBlock, letterContentSchema, letterGaps, readLetter } from './newsletters.schema.ts'
import { TALLY } from './prepare-newsletter.server.ts'

const letterSchema = v.object({ content: letterContentSchema })

/** Newsletters that the viewer may send or draft. */
export const lettersById = (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> => campaignsById(ctx, 'email', ids)

/** @throws {AppError} `unauthenticated`, `forbidden` */
export const listLetters = (ctx: Ctx, page: { offset: number; limit: number }) => listCampaigns(ctx, 'email', page)

/** @returns its id @throws {AppError} `forbidden`, `invalid` */
export function createLetter(ctx: Ctx, input: CreateInput<typeof newsletterShape>): Promise<string> {
  return createCampaign(ctx, 'email', input, saidIn(input))
}

/** Changes a draft. @throws {AppError} `forbidden`, `stale`, `conflict` once it is no draft */
export async function updateLetter(
  ctx: Ctx,
  row: CampaignRow,
  input: UpdateInput<typeof newsletterShape>,
  lockVersion: number,
): Promise<void> {
  const { name, audience } = input
  const changes = { ...saidIn(input), ...(name === undefined ? {} : { name }), ...(audience === undefined ? {} : { audience }) }
  await updateCampaign(ctx, row, changes, lockVersion)
}

/** @throws {AppError} `invalid` with what is wrong in its blocks, and fields that nothing is filled in for */
function saidIn({ subjectTranslations: subject, content }: { subjectTranslations?: Translated | undefined; content?: unknown }) {
  if (subject) assertFields('subjectTranslations', subject)
  if (content === undefined) return subject ? { subject } : {}
  const { content: checked } = parse(letterSchema, { content })
  for (const [at, block] of checked.blocks.entries()) assertBlockFields(at, block as LetterBlock)
  return { ...(subject ? { subject } : {}), content: checked }
}

function assertBlockFields(at: number, block: LetterBlock): void {
  for (const [name, field] of Object.entries(BLOCKS[block.type].fields as Record<string, { kind: string }>)) {
    if (field.kind === 'line' || field.kind === 'text' || field.kind === 'rich')
      assertFields(`content/blocks/${at}/${name}`, (block as unknown as Record<string, Translated>)[name] ?? {})
  }
}

export type LetterCounts = Record<'prepared' | 'waiting' | 'accepted' | 'failed' | 'skipped' | 'returned', number>

/** How many of each newsletter's mails stand where. Of one that is over its tally counts, since mails are not kept for good. */
export async function letterCounts(ctx: Ctx, rows: readonly CampaignRow[]): Promise<Map<string, LetterCounts>> {
  const moving = rows.filter(({ status, tally }) => status !== 'draft' && !tally).map(({ id }) => id)
  const found = moving.length
    ? await ctx.db.tx((tx) =>
        tx
          .select({ id: outboxMails.campaignId, ...TALLY })
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
export interface LetterEstimate {
  id: string
  recipients: number
  languages: { language: Language; gets: Language; recipients: number }[]
  withoutArea: number | null
  unreachable: number
  delivers: boolean
}

export async function letterEstimates(ctx: Ctx, ids: readonly string[]): Promise<LetterEstimate[]> {
  return Promise.all((await lettersById(ctx, ids)).map((row) => estimate(ctx, row)))
}

async function estimate(ctx: Ctx, row: CampaignRow): Promise<LetterEstimate> {
  const gets = languagesOf(ctx, row)
  const counted = new Map<Language, number>()
  for await (const readers of everyReader(ctx, row, LOOKED_AT))
    for (const { locale } of readers) counted.set(locale, (counted.get(locale) ?? 0) + 1)
  return {
    id: row.id,
    recipients: [...counted.values()].reduce((sum, recipients) => sum + recipients, 0),
    languages: [...counted].map(([language, recipients]) => ({ language, gets: gets(language), recipients })),
    withoutArea: await countUnplaced(ctx, row),
    unreachable: await countUnreachable(ctx, row),
    delivers: Boolean(ctx.runtime.env.SMTP_URL) || (await enabledWith(ctx, 'send-mail')).length > 0,
  }
}

const languagesOf = ({ site }: Ctx, { subject, content }: CampaignRow) =>
  languageFor(letterGaps(subject, readLetter(content), site.languages), site.languages, site.locale)

/** Somebody a newsletter would reach now. */
export interface LetterRecipient {
  id: string
  login: string
  email: string
  language: Language
}

/** Those a draft would reach now, in pages. @throws {AppError} `not-found` */
export async function listLetterRecipients(
  ctx: Ctx,
  query: { campaign: string; offset: number; limit: number },
): Promise<{ rows: LetterRecipient[]; total: number }> {
  const row = await seen(ctx, query.campaign)
  const gets = languagesOf(ctx, row)
  const { recipients } = await estimate(ctx, row)
  const readers = await readersPage(ctx, row, query)
  return {
    rows: readers.map(({ id, login, address, locale }) => ({ id, login, email: address, language: gets(locale) })),
    total: recipients,
  }
}

/** @throws {AppError} `not-found` */
async function seen(ctx: Ctx, id: string): Promise<CampaignRow> {
  const [row] = await lettersById(ctx, [id])
  if (!row) throw new AppError('not-found')
  return row
}

/**
 * Sends a newsletter now, or at its time. Other languages may lack texts: their readers get it in the site's.
 * @throws {AppError} `forbidden` also for who may only draft, `conflict` where it was sent, or `invalid` naming what it lacks in the site's language
 */
export async function sendLetter(ctx: Ctx, input: { campaign: string; sendAt?: Date | null | undefined }): Promise<string> {
  const row = await seen(ctx, input.campaign)
  const blocks = readLetter(row.content)
  const { locale } = ctx.site
  const [gap] = letterGaps(row.subject, blocks, [locale])
  const lacking = (pointer: string) => ({ code: 'translation-missing' as const, pointer, values: { language: locale } })
  const faults = [
    ...(gap?.subject ? [lacking(`/subjectTranslations/${locale}`)] : []),
    ...(gap?.texts ?? []).map(({ code, pointer }) => ({ ...lacking(`/content${pointer}`), code })),
    ...(blocks.length ? [] : [{ code: 'required' as const, pointer: '/content' }]),
  ]
  await scheduleCampaign(ctx, row, input.sendAt, () =>
    faults.length ? Promise.reject(new AppError('invalid', { faults })) : Promise.resolve(),
  )
  return row.id
}

/** Newsletters that were given up for sending, whatever became of it. */
export const letterSendingsById = async (ctx: Ctx, ids: readonly string[]): Promise<CampaignRow[]> =>
  (await lettersById(ctx, ids)).filter(({ status }) => status !== 'draft')

const waitingOf = (ctx: Ctx, campaignId: string) =>
  and(eq(outboxMails.siteId, ctx.site.id), eq(outboxMails.campaignId, campaignId), isNull(outboxMails.sentAt), isNull(outboxMails.fault))

export const WAITING_LETTERS: Waiting = {
  hold: (ctx, tx, id) =>
    tx
      .update(outboxMails)
      .set({ nextAttemptAt: HELD_UNTIL })
      .where(and(waitingOf(ctx, id), isNull(outboxMails.handedAt))),
  release: (ctx, tx, id) =>
    tx
      .update(outboxMails)
      .set({ nextAttemptAt: ctx.now() })
      .where(and(waitingOf(ctx, id), eq(outboxMails.nextAttemptAt, HELD_UNTIL))),
  drop: (ctx, tx, id) =>
    tx
      .update(outboxMails)
      .set(givenUp('campaign-cancelled'))
      .where(and(waitingOf(ctx, id), isNull(outboxMails.handedAt))),
}

/** Sends the viewer's own address a newsletter, in one language. @throws {AppError} `not-found`, `too-many-requests`, `invalid` while it has no subject there */
export async function testLetter(ctx: Ctx, input: { campaign: string; language: Language }): Promise<void> {
  const row = await seen(ctx, input.campaign)
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  await countAttempt(ctx, [{ name: 'newsletter-test', of: viewer.id, most: 20, minutes: 60 }])
  const { language } = input
  const blocks = readLetter(row.content)
  const said = await composeLetter(ctx, { ...row, blocks }, language)
  if (!said.subject.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: `/subjectTranslations/${language}` }] })
  // A trial ends nothing: its way out leads to one's own account.
  const { subject, bodyText, bodyHtml } = filled(said, {
    recipientName: viewer.login,
    leaveUrl: siteUrl(ctx, `/${language}/account/profile`),
  })
  await ctx.db.tx((tx) =>
    queueBodies(ctx, tx, {
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

/** A draft as it stands in the editor, as somebody would get it. @throws {AppError} `not-found` */
export async function previewLetter(
  ctx: Ctx,
  input: { campaign: string; subject: Translated; content: unknown; language: Language },
): Promise<Composed> {
  const row = await seen(ctx, input.campaign)
  const said = await composeLetter(ctx, { ...row, subject: input.subject, blocks: readLetter(input.content) }, input.language)
  const login = ctx.viewer.kind === 'user' ? ctx.viewer.login : ''
  return filled(said, { recipientName: login, leaveUrl: siteUrl(ctx, `/${input.language}/account/profile`) })
}
