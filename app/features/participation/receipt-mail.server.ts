import * as v from 'valibot'
import { emailSchema } from '#app/features/accounts/accounts.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

/** What a receipt is of. */
interface MailedReceipt {
  kind: 'survey-receipt' | 'contribution-receipt'
  /** Of the survey or the activity: what was sent is not part of the mail. */
  title: string
  code: string
}

/**
 * Emails a receipt code to an address, which is stored only in the outbox.
 * @param typed the address as people type it
 * @param requireReceipt called for a valid address; throws if this receipt may not be mailed
 * @throws {AppError} `invalid` with `required` or `not-an-email` at `/email`; `too-many-requests`; what `requireReceipt` throws
 */
export async function mailReceiptCode(ctx: Ctx, typed: string, requireReceipt: () => Promise<MailedReceipt>): Promise<void> {
  if (!typed.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  const email = v.safeParse(emailSchema, typed)
  if (!email.success) throw new AppError('invalid', { faults: [{ code: 'not-an-email', pointer: '/email' }] })
  const { kind, title, code } = await requireReceipt()
  await countAttempt(ctx, limitMails(ctx, 'receipt-mail', email.output))
  const t = getTranslator(ctx.language, 'mail')
  const names = { site: ctx.site.name, title }
  await ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind,
      to: email.output,
      userId: null,
      language: ctx.language,
      secrets: [code],
      content: {
        subject: t('receipt.subject', names),
        paragraphs: [t(`${kind}.text`, names), t('receipt.code', { code })],
        action: { label: t(`${kind}.action`), href: buildSiteUrl(ctx, `/${ctx.contentLanguage}/receipt`) },
        small: [t('receipt.care')],
        footer: t('receipt.footer', names),
      },
    }),
  )
}
