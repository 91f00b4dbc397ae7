import { toInterfaceLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { ACCOUNT_MAILS } from '#app/server/mail/campaign-mails.ts'
import type { MailContent } from '#app/server/mail/layout-mail.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { createMailParts, type Reader } from './account-mails.server.ts'
import { canSignIn, loadSiteAdmins } from './site-admins.server.ts'

/** Security events that all site administrators get an email about. */
type SecurityMail =
  | { kind: 'provider-added' | 'provider-activated' | 'provider-changed' | 'provider-waits'; provider: { id: string; name: string } }
  | { kind: 'support-granted' | 'support-received'; reason: string; until: Date }
  | { kind: 'codes-made'; name: string; count: number }

/** Tells all administrators of the site who can sign in, in their language. */
export async function mailSiteAdmins(ctx: Ctx, tx: Tx, mail: SecurityMail): Promise<void> {
  for (const reader of (await loadSiteAdmins(tx, ctx.site.id)).filter(canSignIn)) await queueSecurityMail(ctx, tx, reader, mail)
}

/** Tells one person, in their language. */
export async function queueSecurityMail(ctx: Ctx, tx: Tx, reader: Reader, mail: SecurityMail): Promise<void> {
  await queueMail(
    ctx,
    tx,
    {
      kind: mail.kind satisfies (typeof ACCOUNT_MAILS)[number],
      to: reader.email,
      userId: reader.id,
      language: toInterfaceLanguage(reader.locale, ctx.site.locale),
      content: composeMail(ctx, reader, mail),
    },
    reader.siteId,
  )
}

function composeMail(ctx: Ctx, reader: Reader, mail: SecurityMail): MailContent {
  const { t, site, buildContent, formatDay, formatNumber } = createMailParts(ctx, reader)
  const by = ctx.viewer.kind === 'user' ? ctx.viewer.login : ''
  const small = [t('all-site-admins', { by })]
  switch (mail.kind) {
    case 'support-granted':
    case 'support-received': {
      const values = { site, by, until: formatDay(mail.until), reason: mail.reason }
      const isGuest = mail.kind === 'support-received'
      return buildContent(t(`${mail.kind}.subject`, values), t(`${mail.kind}.text`, values), {
        action: { label: t(`${mail.kind}.action`, values), href: buildSiteUrl(ctx, isGuest ? '/admin' : '/admin/support') },
        small: isGuest ? [t('support-received.small')] : small,
      })
    }
    case 'codes-made': {
      const values = { site, by, name: mail.name, number: formatNumber(mail.count) }
      return buildContent(t('codes-made.subject', values), t('codes-made.text', values), {
        action: { label: t('codes-made.action'), href: buildSiteUrl(ctx, '/admin/people/eligibility') },
        small,
      })
    }
    default: {
      const values = { site, by, provider: mail.provider.name }
      return buildContent(t(`${mail.kind}.subject`, values), t(`${mail.kind}.text`, values), {
        action: { label: t('provider-action', values), href: buildSiteUrl(ctx, `/admin/sign-in/${mail.provider.id}`) },
        small,
      })
    }
  }
}
