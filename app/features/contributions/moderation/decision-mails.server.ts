import { and, eq } from 'drizzle-orm'
import { type Language, matchLanguage } from '#app/lib/languages.ts'
import { getFormatter } from '#app/lib/format.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { getAppealEnd } from './appeals/appeals.schema.ts'
import type { RuleRow } from './rules.server.ts'
import { UNDO_MS } from './undoable.schema.ts'
import type { PlacedContribution } from '../record/loading.server.ts'

export const buildActivityPath = ({ project, activity }: Pick<PlacedContribution, 'project' | 'activity'>): string =>
  `/projects/${project.slug}/${activity.slug}`

interface Decision {
  authorId: string | null
  to: 'published' | 'held' | 'declined' | 'removed' | 'masked' | 'unmasked'
  reason: string
  rule: RuleRow | null
  decisionId: string
  isReply?: boolean
  /** What `masked` removed; passages by default. */
  removal?: { hasPassages: boolean; photos: readonly string[] }
  /** The decision may still be undone: the mail waits until it no longer can. */
  mayUndo?: boolean
}

/** Tells an author with an account what was decided, in their language. Others read it on their receipt's page. */
export async function mailDecision(ctx: Ctx, tx: Tx, placed: PlacedContribution, decision: Decision): Promise<void> {
  const { contribution, activity } = placed
  const { to, reason, rule, decisionId, isReply = false, mayUndo = false, removal } = decision
  const reader = decision.authorId && (await loadReader(ctx, tx, decision.authorId))
  if (!reader) return
  const { site } = ctx
  const t = getTranslator(reader.language, 'mail')
  const names = {
    site: site.name,
    number: contribution.number,
    title: contribution.title,
    activity: getTranslation(activity.title, reader.language, site.locale),
  }
  const kind = isReply ? ('reply' as const) : ('contribution' as const)
  const path = buildActivityPath(placed)
  const isPublic = to === 'published' || isReply
  const hasOnlyPhotos = removal?.hasPassages === false
  const isAppealable = to === 'declined' || to === 'removed' || to === 'masked'
  await queueMail(ctx, tx, {
    kind: `${kind}-${to}`,
    ...(mayUndo && { withdrawable: { until: new Date(ctx.now().getTime() + UNDO_MS), decisionId } }),
    to: reader.email,
    userId: decision.authorId,
    language: reader.language,
    content: {
      subject: hasOnlyPhotos ? t('contribution-photos-removed.subject', names) : t(`${kind}-${to}.subject`, names),
      paragraphs: [
        hasOnlyPhotos ? t('contribution-photos-removed.text', names) : t(`${kind}-${to}.text`, names),
        ...(removal?.photos ?? []).map((alt) => t('contribution-photos-removed.photo', { alt })),
        ...describeReason(t, reader.language, site.locale, { rule, reason }),
        ...(isAppealable ? [t('appeal.offer', { date: formatAppealEnd(ctx, reader.language, ctx.now()) })] : []),
      ],
      ...(isAppealable && { links: [{ label: t('appeal.link'), href: buildAppealUrl(ctx, reader.language, decisionId) }] }),
      action: {
        label: t('contribution-action'),
        href: buildSiteUrl(ctx, `/${reader.language}${path}/${isPublic ? contribution.number : `receipt?number=${contribution.number}`}`),
      },
      footer: t('contribution-footer', names),
    },
  })
}

/** The rule in the reader's language, then the moderator's words. */
export function describeReason(
  t: ReturnType<typeof getTranslator<'mail'>>,
  language: Language,
  locale: Language,
  { rule, reason }: { rule: Pick<RuleRow, 'label' | 'explanation'> | null; reason: string },
): string[] {
  const label = rule && getTranslation(rule.label, language, locale)
  const explanation = rule && getTranslation(rule.explanation, language, locale)
  return [
    ...(label ? [t('contribution-rule', { label, explanation: explanation ?? '' })] : []),
    ...(reason ? [t('contribution-reason', { reason })] : []),
  ]
}

export const ANSWER_MAILS = {
  answer: 'contribution-answered',
  edit: 'answer-edited',
  withdrawal: 'answer-withdrawn',
} as const

interface AnswerNews {
  tells: keyof typeof ANSWER_MAILS
  status: Translated
  text: Translated
  visibility: AnswerVisibility
}

/** Tells an author that the team has answered, edited its answer or withdrawn it, for which `text` is the reason. */
export async function mailOfficialResponse(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  { tells, status, text, visibility }: AnswerNews,
): Promise<void> {
  const { contribution, activity } = placed
  const isPrivate = visibility === 'private'
  const reader = contribution.authorId && (await loadReader(ctx, tx, contribution.authorId))
  if (!reader) return
  const t = getTranslator(reader.language, 'mail')
  const words = getTranslation(text, reader.language, ctx.site.locale)
  const names = {
    site: ctx.site.name,
    number: contribution.number,
    title: contribution.title,
    status: getTranslation(status, reader.language, ctx.site.locale),
    activity: getTranslation(activity.title, reader.language, ctx.site.locale),
  }
  await queueMail(ctx, tx, {
    kind: ANSWER_MAILS[tells],
    to: reader.email,
    userId: contribution.authorId,
    language: reader.language,
    content: {
      subject: t(`${ANSWER_MAILS[tells]}.subject`, names),
      paragraphs:
        tells === 'answer' && isPrivate
          ? [t('question-answered-privately', names), ...splitParagraphs(words)]
          : [
              t(`${ANSWER_MAILS[tells]}.text`, names),
              ...(tells === 'withdrawal' ? [t('contribution-reason', { reason: words })] : isPrivate ? splitParagraphs(words) : []),
            ],
      action: {
        label: t('contribution-action'),
        href: buildSiteUrl(
          ctx,
          `/${reader.language}${buildActivityPath(placed)}/${isPrivate ? `receipt?number=${contribution.number}` : contribution.number}`,
        ),
      },
      footer: t('contribution-footer', names),
    },
  })
}

export const buildAppealUrl = (ctx: Ctx, language: Language, decisionId: string): string =>
  buildSiteUrl(ctx, `/${language}/appeals/${decisionId}`)

/** The last day on which a decision of `decidedAt` can be appealed. */
export function formatAppealEnd({ site }: Ctx, language: Language, decidedAt: Date): string {
  const { timeZone, region } = site
  return getFormatter({ language, timeZone, region }).date(getAppealEnd(decidedAt))
}

const splitParagraphs = (text: string): string[] => text.split(/\n{2,}/).filter(Boolean)

/** Emails a team member that a question has been assigned to them. */
export const mailAssignment = (ctx: Ctx, tx: Tx, placed: PlacedContribution, assigneeId: string): Promise<void> =>
  mailColleague(ctx, tx, placed, { kind: 'question-assigned', assigneeId, dueAt: placed.contribution.dueAt })

/** Emails a team member that a case has been assigned to them. */
export const mailCaseAssignment = (
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  { assigneeId, dueAt }: { assigneeId: string; dueAt: Date },
): Promise<void> => mailColleague(ctx, tx, placed, { kind: 'case-assigned', assigneeId, dueAt })

interface Assignment {
  kind: 'question-assigned' | 'case-assigned'
  assigneeId: string
  dueAt: Date | null
}

async function mailColleague(ctx: Ctx, tx: Tx, placed: PlacedContribution, { kind, assigneeId, dueAt }: Assignment): Promise<void> {
  const { contribution, activity } = placed
  const reader = await loadReader(ctx, tx, assigneeId)
  if (!reader) return
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const { timeZone, region } = ctx.site
  const names = {
    site: ctx.site.name,
    number: contribution.number,
    title: contribution.title,
    activity: getTranslation(activity.title, language, ctx.site.locale),
    date: dueAt ? getFormatter({ language, timeZone, region }).date(dueAt) : '',
  }
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId: assigneeId,
    language,
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [t(`${kind}.text`, names)],
      action: { label: t(`${kind}.action`), href: buildSiteUrl(ctx, `/admin/contributions/${contribution.id}`) },
      footer: t(`${kind}.footer`, names),
    },
  })
}

const chooseLanguage = ({ site }: Ctx, locale: string): Language => matchLanguage(locale, site.languages) ?? site.locale

export async function loadReader(ctx: Ctx, tx: Tx, userId: string) {
  const [user] = await tx
    .select({ email: users.email, locale: users.locale })
    .from(users)
    .where(and(eq(users.siteId, ctx.site.id), eq(users.id, userId)))
  if (!user) return undefined
  return { email: user.email, language: chooseLanguage(ctx, user.locale) }
}
