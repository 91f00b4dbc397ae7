import type { ContentLanguage, Language } from '../../lib/languages.ts'
import { createId } from '../../lib/uuid.ts'
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/client.ts'
import { mailFiles, outboxMails } from '../db/schema/mail.ts'
import { layoutMail, type MailContent } from './layout-mail.ts'
import { maskBodies } from './mask-secrets.ts'

export interface OutgoingMail {
  /** Kind of mail, for the outbox: `confirm-email`, `reset-password` and so on. */
  kind: string
  to: string
  /** The account it is for: deleted with the account. */
  userId: string | null
  language: Language
  content: MailContent
  /** One-click unsubscribe address, for mails that people subscribed to. Also part of the content. */
  leaveUrl?: string
  /** Not before this moment, so that it can still be withdrawn with the decision it is about. */
  withdrawable?: { until: Date; decisionId: string }
  /** The sign-up that a reminder is about: it is sent only while it holds (`isOutdatedReminder`). */
  signUpId?: string
  /** A file that `keepMailFile` stored. */
  fileId?: string | null
  /** Secrets besides links; links are always masked wherever the mail is shown. */
  secrets?: readonly string[]
}

/**
 * Puts a mail into the site's outbox in the transaction of what it is about: both happen or neither. A job sends it if SMTP_URL is set;
 * otherwise it can be read in the product, without its secrets.
 * @param siteId whose outbox, if not the context's site: the platform's own. `tx` must be bound to it.
 */
export async function queueMail(ctx: Ctx, tx: Tx, mail: OutgoingMail, siteId = ctx.site.id): Promise<void> {
  const { text, html } = layoutMail(mail.content, mail.language)
  await queueMailBodies(ctx, tx, { ...mail, subject: mail.content.subject, text, html }, siteId)
}

interface MailWithBodies extends Omit<OutgoingMail, 'content' | 'language'> {
  language: ContentLanguage
  subject: string
  text: string
  html: string
}

/** The same for a mail with finished bodies. */
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
    nextAttemptAt: mail.withdrawable?.until ?? ctx.now(),
    decisionId: mail.withdrawable?.decisionId ?? null,
    fileId: mail.fileId ?? null,
    signUpId: mail.signUpId ?? null,
  })
}

/** Stores a file to be sent with mails of the same transaction. It is kept as long as mails are. @returns its id */
export async function keepMailFile(ctx: Ctx, tx: Tx, file: { name: string; mediaType: string; bytes: Uint8Array }): Promise<string> {
  const id = createId()
  const { name, mediaType } = file
  await tx.insert(mailFiles).values({ siteId: ctx.site.id, id, name, mediaType, bytes: Buffer.from(file.bytes), createdAt: ctx.now() })
  return id
}

const toOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
