import type { Language } from '../../lib/languages.ts'
import { createId } from '../../lib/uuid.ts'
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { outboxMails } from '../db/schema.ts'
import { layoutMail, type MailContent } from './layout-mail.ts'
import { maskBodies } from './mask-secrets.ts'

export interface OutgoingMail {
  /** What kind of mail it is, for the outbox: `confirm-email`, `reset-password` and so on. */
  kind: string
  to: string
  /** The account it is for: it goes when the account goes. */
  userId: string | null
  language: Language
  content: MailContent
  /** Of mails that somebody has asked for: where one press stops them. It is in the content as well. */
  leaveUrl?: string
  /** What only its reader may see, besides links: those are masked wherever the mail is shown without being named. */
  secrets?: readonly string[]
}

/**
 * Puts a mail into the site's outbox, in the transaction of what it tells about: both happen or neither. It is sent by a job
 * where SMTP_URL is set, and can be read in the product, without its secrets, where it is not.
 * @param siteId whose outbox, where that is not the context's site: the platform's own. `tx` must be bound to it.
 */
export async function queueMail(ctx: Ctx, tx: Tx, mail: OutgoingMail, siteId = ctx.site.id): Promise<void> {
  const { text, html } = layoutMail(mail.content, mail.language)
  await queueMailBodies(ctx, tx, { ...mail, subject: mail.content.subject, text, html }, siteId)
}

interface MailWithBodies extends Omit<OutgoingMail, 'content'> {
  subject: string
  text: string
  html: string
}

/** The same of a mail whose bodies are made already. */
export async function queueMailBodies(ctx: Ctx, tx: Tx, mail: MailWithBodies, siteId = ctx.site.id): Promise<void> {
  const { shown, secret } = maskBodies({ text: mail.text, html: mail.html }, mail.secrets)
  await tx.insert(outboxMails).values({
    siteId,
    id: createId(),
    kind: mail.kind,
    recipient: mail.to,
    userId: mail.userId,
    language: mail.language,
    subject: toOneLine(mail.subject),
    bodyText: shown.text,
    bodyHtml: shown.html,
    secretBodies: secret,
    leaveUrl: mail.leaveUrl ?? null,
    createdAt: ctx.now(),
    nextAttemptAt: ctx.now(),
  })
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
