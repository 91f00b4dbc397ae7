import { emailSchema } from '#app/features/accounts/accounts.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import * as v from 'valibot'
import { requireContribution } from './receipts.server.ts'

/**
 * Emails a receipt code to an address, which is stored only in the outbox. Refused for anonymous surveys: an address beside the code would
 * reveal whose answers they are.
 * @param code the receipt code that the browser holds
 * @throws {AppError} `invalid` with `required` or `not-an-email` at `/email`; `not-found`; `forbidden` for an anonymous survey or a
 * withdrawn response; `too-many-requests`
 */
export async function mailReceipt(ctx: Ctx, code: string, typed: string): Promise<void> {
  if (!typed.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  const email = v.safeParse(emailSchema, typed)
  if (!email.success) throw new AppError('invalid', { faults: [{ code: 'not-an-email', pointer: '/email' }] })
  const contribution = await requireContribution(ctx, code)
  if (contribution.anonymous || contribution.withdrawnAt) throw new AppError('forbidden')
  await countAttempt(ctx, limitMails(ctx, 'receipt-mail', email.output))
  const t = getTranslator(ctx.language, 'mail')
  const names = { site: ctx.site.name, survey: contribution.survey.title.text }
  await ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'survey-receipt',
      to: email.output,
      userId: null,
      language: ctx.language,
      secrets: contribution.code ? [contribution.code] : [],
      content: {
        subject: t('survey-receipt.subject', names),
        paragraphs: [t('survey-receipt.text', names), t('survey-receipt.code', { code: contribution.code ?? '' })],
        action: { label: t('survey-receipt.action'), href: buildSiteUrl(ctx, `/${ctx.language}/receipt`) },
        small: [t('survey-receipt.care')],
        footer: t('survey-receipt.footer', names),
      },
    }),
  )
}
