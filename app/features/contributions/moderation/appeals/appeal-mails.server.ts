import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildAppealUrl, loadReader } from '../decision-mails.server.ts'
import type { AppealRow, PlacedDecision } from './find-appeal.server.ts'

/** Tells somebody with an account what became of their appeal, in their language. Others read it on the appeal's page. */
export async function mailAppealDecision(
  ctx: Ctx,
  tx: Tx,
  { placed, reply }: PlacedDecision,
  { appeal, state, answer }: { appeal: AppealRow; state: 'upheld' | 'overturned'; answer: string },
): Promise<void> {
  const { contribution, activity } = placed
  // An author who appealed by the receipt alone may still have an account.
  const userId = appeal.appellantId ?? (appeal.appellant === 'author' ? (reply ?? contribution).authorId : null)
  const reader = userId && (await loadReader(ctx, tx, userId))
  if (!reader) return
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const names = {
    site: ctx.site.name,
    number: contribution.number,
    activity: getTranslation(activity.title, language, ctx.site.locale),
  }
  const kind = `appeal-${appeal.appellant}-${state}` as const
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId,
    language,
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [t(`${kind}.text`, names), t('contribution-reason', { reason: answer })],
      action: { label: t('appeal.see'), href: buildAppealUrl(ctx, language, appeal.decisionId) },
      footer: t('appeal.footer', names),
    },
  })
}
