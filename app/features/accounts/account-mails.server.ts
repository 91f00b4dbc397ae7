import { formatter } from '#app/lib/format.ts'
import type { Role } from '#app/lib/roles.ts'
import { inLanguage, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { translator } from '#app/server/i18n.ts'
import type { ACCOUNT_MAILS } from '#app/server/mail/campaign-mails.ts'
import type { MailContent } from '#app/server/mail/layout.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { CONFIRM_HOURS, INVITATION_DAYS, RESET_HOURS } from './links.server.ts'
import type { UserRow } from './realm.server.ts'

type Reader = Pick<UserRow, 'siteId' | 'id' | 'login' | 'email' | 'locale'>

/** Each mail an account can lead to, with what its text needs. */
export type AccountMail =
  | { kind: 'confirm-email'; token: string }
  | { kind: 'account-exists' }
  | { kind: 'finish-registration'; token: string }
  | { kind: 'reset-password'; token: string }
  | { kind: 'password-changed' }
  | { kind: 'change-email'; token: string; to: string }
  | { kind: 'email-in-use' }
  | { kind: 'email-change-asked' }
  | { kind: 'email-changed'; to: string }
  | { kind: 'invitation'; token: string; role: Role }
  | { kind: 'role-given'; role: Role }
  /** `who` and `by`: their names. */
  | { kind: 'site-admin-added' | 'site-admin-removed'; who: string; by: string }
  /** `project`: its title in each language. `path`: its page, where it is published. */
  | { kind: 'project-invitation'; project: Translated; path: string | undefined; token: string | undefined }
  | { kind: 'account-blocked'; reason: string }
  | { kind: 'accounts-merged'; gone: string }
  | { kind: 'site-deletion'; due: Date; reason: string }
  | { kind: 'site-kept' }
  | { kind: 'site-kept-suspended' }

/** Puts a mail to the account's holder into the outbox, in the holder's language. */
export async function mailTo(ctx: Ctx, tx: Tx, reader: Reader, mail: AccountMail): Promise<void> {
  await queueMail(
    ctx,
    tx,
    {
      kind: mail.kind satisfies (typeof ACCOUNT_MAILS)[number],
      to: 'to' in mail ? mail.to : reader.email,
      userId: reader.id,
      language: reader.locale,
      content: write(ctx, reader, mail),
    },
    reader.siteId,
  )
}

/** Where an invited person chooses a password. */
export const invitationUrl = (ctx: Ctx, reader: Reader, token: string): string =>
  siteUrl(ctx, `/${reader.locale}/reset-password?token=${token}`)

function write(ctx: Ctx, reader: Reader, mail: AccountMail): MailContent {
  const t = translator(reader.locale, 'mail')
  const site = ctx.site.name
  const page = (path: string) => siteUrl(ctx, `/${reader.locale}${path}`)
  const address = new URL(siteUrl(ctx, '/')).host
  const letter = (subject: string, text: string, rest: Partial<MailContent> = {}): MailContent => ({
    subject,
    paragraphs: [t('greeting', { name: reader.login }), text],
    footer: t('footer', { site, address }),
    ...rest,
  })
  const works = (unit: 'hours' | 'days', count: number) => t(`works-for.${unit}`, { count })
  switch (mail.kind) {
    case 'confirm-email':
      return letter(t('confirm-email.subject', { site }), t('confirm-email.text', { site }), {
        action: { label: t('confirm-email.action'), href: page(`/confirm-email?token=${mail.token}`) },
        small: [works('hours', CONFIRM_HOURS), t('confirm-email.not-you')],
      })
    case 'account-exists':
      return letter(t('account-exists.subject', { site }), t('account-exists.text', { site }), {
        action: { label: t('account-exists.action'), href: page('/sign-in') },
        small: [t('account-exists.forgotten'), t('account-exists.not-you')],
      })
    case 'finish-registration':
      return letter(t('finish-registration.subject', { site }), t('finish-registration.text', { site }), {
        action: { label: t('finish-registration.action'), href: page(`/reset-password?token=${mail.token}`) },
        small: [works('hours', CONFIRM_HOURS), t('not-you')],
      })
    case 'reset-password':
      return letter(t('reset-password.subject', { site }), t('reset-password.text', { site }), {
        action: { label: t('reset-password.action'), href: page(`/reset-password?token=${mail.token}`) },
        small: [works('hours', RESET_HOURS), t('reset-password.not-you')],
      })
    case 'password-changed':
      return letter(t('password-changed.subject', { site }), t('password-changed.text', { site }), {
        action: { label: t('password-changed.action'), href: page('/forgot-password') },
        small: [t('password-changed.not-you', { site })],
      })
    case 'change-email':
      return letter(t('change-email.subject', { site }), t('change-email.text', { site }), {
        action: { label: t('change-email.action'), href: page(`/confirm-email?token=${mail.token}`) },
        small: [works('hours', CONFIRM_HOURS), t('not-you')],
      })
    case 'email-in-use':
      return letter(t('email-in-use.subject', { site }), t('email-in-use.text', { site }), { small: [t('not-you')] })
    case 'email-change-asked':
      return letter(t('email-change-asked.subject', { site }), t('email-change-asked.text', { site }), {
        action: { label: t('email-change-asked.action'), href: page('/forgot-password') },
        small: [t('email-change-asked.not-you')],
      })
    case 'email-changed':
      return letter(t('email-changed.subject', { site }), t('email-changed.text', { site }), {
        small: [t('email-changed.not-you', { site })],
      })
    case 'invitation':
      return letter(t('invitation.subject', { site }), t('invitation.text', { site, role: t(`roles.${mail.role}`) }), {
        action: { label: t('invitation.action'), href: invitationUrl(ctx, reader, mail.token) },
        small: [works('days', INVITATION_DAYS)],
      })
    case 'role-given':
      return letter(t('role-given.subject', { site }), t('role-given.text', { site, role: t(`roles.${mail.role}`) }), {
        action: { label: t('role-given.action'), href: page('/sign-in') },
      })
    case 'site-admin-added':
    case 'site-admin-removed':
      return letter(t(`${mail.kind}.subject`, { site, name: mail.who }), t(`${mail.kind}.text`, { site, name: mail.who, by: mail.by }), {
        small: [t('site-admins-changed')],
      })
    case 'project-invitation': {
      const project = inLanguage(mail.project, reader.locale, ctx.site.locale)
      const open = mail.path === undefined ? '/sign-in' : `/sign-in?next=${encodeURIComponent(`/${reader.locale}${mail.path}`)}`
      return letter(t('project-invitation.subject', { project }), t('project-invitation.text', { site, project }), {
        action: mail.token
          ? { label: t('invitation.action'), href: page(`/reset-password?token=${mail.token}`) }
          : { label: t('project-invitation.action'), href: page(open) },
        small: [...(mail.token ? [works('days', INVITATION_DAYS)] : []), t('project-invitation.small')],
      })
    }
    case 'accounts-merged':
      return letter(t('accounts-merged.subject', { site }), t('accounts-merged.text', { site, gone: mail.gone, email: reader.email }), {
        action: { label: t('accounts-merged.action'), href: page('/sign-in') },
        small: [t('accounts-merged.small', { site })],
      })
    case 'account-blocked':
      return letter(t('account-blocked.subject', { site }), t('account-blocked.text', { site, reason: mail.reason }), {
        small: [t('account-blocked.small', { site })],
      })
    case 'site-deletion': {
      const { timeZone, region } = ctx.site
      const day = formatter({ language: reader.locale, timeZone, region }).date(mail.due)
      return letter(t('site-deletion.subject', { site, day }), t('site-deletion.text', { site, day, reason: mail.reason }), {
        small: [t('site-deletion.small', { day })],
      })
    }
    case 'site-kept':
      return letter(t('site-kept.subject', { site }), t('site-kept.text', { site }), {
        action: { label: t('role-given.action'), href: page('/sign-in') },
      })
    case 'site-kept-suspended':
      return letter(t('site-kept.subject', { site }), t('site-kept.suspended', { site }))
  }
}
