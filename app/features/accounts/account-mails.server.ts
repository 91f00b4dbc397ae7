import { getFormatter } from '#app/lib/format.ts'
import type { Role } from '#app/lib/roles.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { toInterfaceLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { ACCOUNT_MAILS } from '#app/server/mail/campaign-mails.ts'
import type { MailContent } from '#app/server/mail/layout-mail.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { CONFIRM_HOURS, INVITATION_DAYS, RESET_HOURS } from './one-time-links.server.ts'
import type { UserRow } from './account-realm.server.ts'

export type Reader = Pick<UserRow, 'siteId' | 'id' | 'login' | 'email' | 'locale'>

/** `left`: recovery codes that are not used yet. */
type AdminChangeMail = Extract<AccountMail, { kind: 'site-admin-added' | 'site-admin-removed' }>
type SecondStepMail = { kind: 'second-step-on' | 'second-step-off' } | { kind: 'recovery-code-used'; left: number } | SecondStepChange

/** To people who have another second step as well. */
export type SecondStepChange = { kind: 'second-step-changed' } & (
  | { change: 'app-added' | 'app-removed' }
  | { change: 'passkey-added' | 'passkey-removed'; name: string }
)

interface NewDeviceMail {
  kind: 'new-device'
  /** Null where the device did not say. */
  device: { browser: string | null; system: string | null }
  at: Date
}

/** Every kind of account email, with the data that its text needs. */
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
  /** To someone whose contact was imported. */
  | { kind: 'contact-invitation'; token: string }
  /** `who` and `by` are names. `by` is undefined if a group at a sign-in provider gave or took the role. */
  | { kind: 'site-admin-added' | 'site-admin-removed'; who: string; by: string | undefined }
  /** `project` is its title in each language. `path` is its page; undefined if it is not published. */
  | { kind: 'project-invitation'; project: Translated; path: string | undefined; token: string | undefined }
  | { kind: 'account-blocked'; reason: string }
  | { kind: 'accounts-merged'; gone: string }
  | SecondStepMail
  | NewDeviceMail
  | { kind: 'site-deletion'; due: Date; reason: string }
  | { kind: 'site-kept' }
  | { kind: 'site-kept-suspended' }

/** Queues an email to the account holder, in their language. */
export async function queueAccountMail(ctx: Ctx, tx: Tx, reader: Reader, mail: AccountMail): Promise<void> {
  await queueMail(
    ctx,
    tx,
    {
      kind: mail.kind satisfies (typeof ACCOUNT_MAILS)[number],
      to: 'to' in mail ? mail.to : reader.email,
      userId: reader.id,
      language: toInterfaceLanguage(reader.locale, ctx.site.locale),
      content: composeMail(ctx, reader, mail),
    },
    reader.siteId,
  )
}

/** Where an invited person sets a password. */
export const buildInvitationUrl = (ctx: Ctx, reader: Reader, token: string): string =>
  buildSiteUrl(ctx, `/${reader.locale}/reset-password?token=${token}`)

/** What all mails to an account share: greeting, footer, addresses of pages and dates in the reader's language. */
export function createMailParts(ctx: Ctx, reader: Reader) {
  const language = toInterfaceLanguage(reader.locale, ctx.site.locale)
  const t = getTranslator(language, 'mail')
  const { name: site, timeZone, region } = ctx.site
  const buildPageUrl = (path: string) => buildSiteUrl(ctx, `/${reader.locale}${path}`)
  const address = new URL(buildSiteUrl(ctx, '/')).host
  const buildContent = (subject: string, text: string, rest: Partial<MailContent> = {}): MailContent => ({
    subject,
    paragraphs: [t('greeting', { name: reader.login }), text],
    footer: t('footer', { site, address }),
    ...rest,
  })
  const formatLinkLifetime = (unit: 'hours' | 'days', count: number) => t(`works-for.${unit}`, { count })
  const format = getFormatter({ language, timeZone, region })
  const formatDay = (day: Date) => format.date(day)
  const formatMoment = (moment: Date) => format.dateTime(moment)
  const formatNumber = (count: number) => format.number(count)
  return { t, site, buildPageUrl, buildContent, formatLinkLifetime, formatDay, formatMoment, formatNumber }
}

function composeInvitation(
  ctx: Ctx,
  reader: Reader,
  mail: Extract<AccountMail, { kind: 'invitation' | 'contact-invitation' }>,
): MailContent {
  const { t, site, buildContent, formatLinkLifetime } = createMailParts(ctx, reader)
  const action = { label: t('invitation.action'), href: buildInvitationUrl(ctx, reader, mail.token) }
  const lifetime = formatLinkLifetime('days', INVITATION_DAYS)
  if (mail.kind === 'invitation')
    return buildContent(t('invitation.subject', { site }), t('invitation.text', { site, role: t(`roles.${mail.role}`) }), {
      action,
      small: [lifetime],
    })
  return buildContent(t('contact-invitation.subject', { site }), t('contact-invitation.text', { site }), {
    action,
    small: [lifetime, t('contact-invitation.not-you')],
  })
}

function composeMail(ctx: Ctx, reader: Reader, mail: AccountMail): MailContent {
  const { t, site, buildPageUrl, buildContent, formatLinkLifetime, formatDay } = createMailParts(ctx, reader)
  switch (mail.kind) {
    case 'confirm-email':
      return buildContent(t('confirm-email.subject', { site }), t('confirm-email.text', { site }), {
        action: { label: t('confirm-email.action'), href: buildPageUrl(`/confirm-email?token=${mail.token}`) },
        small: [formatLinkLifetime('hours', CONFIRM_HOURS), t('confirm-email.not-you')],
      })
    case 'account-exists':
      return buildContent(t('account-exists.subject', { site }), t('account-exists.text', { site }), {
        action: { label: t('account-exists.action'), href: buildPageUrl('/sign-in') },
        small: [t('account-exists.forgotten'), t('account-exists.not-you')],
      })
    case 'finish-registration':
      return buildContent(t('finish-registration.subject', { site }), t('finish-registration.text', { site }), {
        action: { label: t('finish-registration.action'), href: buildPageUrl(`/reset-password?token=${mail.token}`) },
        small: [formatLinkLifetime('hours', CONFIRM_HOURS), t('not-you')],
      })
    case 'reset-password':
      return buildContent(t('reset-password.subject', { site }), t('reset-password.text', { site }), {
        action: { label: t('reset-password.action'), href: buildPageUrl(`/reset-password?token=${mail.token}`) },
        small: [formatLinkLifetime('hours', RESET_HOURS), t('reset-password.not-you')],
      })
    case 'password-changed':
      return buildContent(t('password-changed.subject', { site }), t('password-changed.text', { site }), {
        action: { label: t('password-changed.action'), href: buildPageUrl('/forgot-password') },
        small: [t('password-changed.not-you', { site })],
      })
    case 'change-email':
      return buildContent(t('change-email.subject', { site }), t('change-email.text', { site }), {
        action: { label: t('change-email.action'), href: buildPageUrl(`/confirm-email?token=${mail.token}`) },
        small: [formatLinkLifetime('hours', CONFIRM_HOURS), t('not-you')],
      })
    case 'email-in-use':
      return buildContent(t('email-in-use.subject', { site }), t('email-in-use.text', { site }), { small: [t('not-you')] })
    case 'email-change-asked':
      return buildContent(t('email-change-asked.subject', { site }), t('email-change-asked.text', { site }), {
        action: { label: t('email-change-asked.action'), href: buildPageUrl('/forgot-password') },
        small: [t('email-change-asked.not-you')],
      })
    case 'email-changed':
      return buildContent(t('email-changed.subject', { site }), t('email-changed.text', { site }), {
        small: [t('email-changed.not-you', { site })],
      })
    case 'invitation':
    case 'contact-invitation':
      return composeInvitation(ctx, reader, mail)
    case 'role-given':
      return buildContent(t('role-given.subject', { site }), t('role-given.text', { site, role: t(`roles.${mail.role}`) }), {
        action: { label: t('role-given.action'), href: buildPageUrl('/sign-in') },
      })
    case 'site-admin-added':
    case 'site-admin-removed':
      return composeAdminChange(ctx, reader, mail)
    case 'project-invitation': {
      const project = getTranslation(mail.project, reader.locale, ctx.site.locale)
      // A draft is no page that they could open.
      const later = mail.path === undefined
      const open = later ? '/sign-in' : `/sign-in?next=${encodeURIComponent(`/${reader.locale}${mail.path}`)}`
      const text = t(later ? 'project-invitation.text-later' : 'project-invitation.text', { site, project })
      return buildContent(t('project-invitation.subject', { project }), text, {
        action: mail.token
          ? { label: t('invitation.action'), href: buildPageUrl(`/reset-password?token=${mail.token}`) }
          : { label: t(later ? 'project-invitation.action-later' : 'project-invitation.action'), href: buildPageUrl(open) },
        small: [...(mail.token ? [formatLinkLifetime('days', INVITATION_DAYS)] : []), t('project-invitation.small')],
      })
    }
    case 'accounts-merged':
      return buildContent(
        t('accounts-merged.subject', { site }),
        t('accounts-merged.text', { site, gone: mail.gone, email: reader.email }),
        {
          action: { label: t('accounts-merged.action'), href: buildPageUrl('/sign-in') },
          small: [t('accounts-merged.small', { site })],
        },
      )
    case 'account-blocked':
      return buildContent(t('account-blocked.subject', { site }), t('account-blocked.text', { site, reason: mail.reason }), {
        small: [t('account-blocked.small', { site })],
      })
    case 'second-step-on':
    case 'second-step-off':
    case 'second-step-changed':
    case 'recovery-code-used':
      return composeSecondStepMail(ctx, reader, mail)
    case 'new-device':
      return composeNewDeviceMail(ctx, reader, mail)
    case 'site-deletion': {
      const day = formatDay(mail.due)
      return buildContent(t('site-deletion.subject', { site, day }), t('site-deletion.text', { site, day, reason: mail.reason }), {
        small: [t('site-deletion.small', { day })],
      })
    }
    case 'site-kept':
      return buildContent(t('site-kept.subject', { site }), t('site-kept.text', { site }), {
        action: { label: t('role-given.action'), href: buildPageUrl('/sign-in') },
      })
    case 'site-kept-suspended':
      return buildContent(t('site-kept.subject', { site }), t('site-kept.suspended', { site }))
  }
}

function composeAdminChange(ctx: Ctx, reader: Reader, mail: AdminChangeMail): MailContent {
  const { t, site, buildContent } = createMailParts(ctx, reader)
  const values = { site, name: mail.who }
  const text = mail.by === undefined ? t(`${mail.kind}.text-by-group`, values) : t(`${mail.kind}.text`, { ...values, by: mail.by })
  return buildContent(t(`${mail.kind}.subject`, values), text, {
    small: [t('site-admins-changed')],
  })
}

function composeSecondStepMail(ctx: Ctx, reader: Reader, mail: SecondStepMail): MailContent {
  const { t, site, buildPageUrl, buildContent } = createMailParts(ctx, reader)
  return buildContent(t(`${mail.kind}.subject`, { site }), describeSecondStepMail(t, site, mail), {
    action: { label: t('second-step-action'), href: buildPageUrl('/account/two-step') },
    small: [t('second-step-not-you', { site })],
  })
}

function describeSecondStepMail(t: ReturnType<typeof createMailParts>['t'], site: string, mail: SecondStepMail): string {
  if (mail.kind === 'recovery-code-used') return t('recovery-code-used.text', { site, count: mail.left })
  if (mail.kind !== 'second-step-changed') return t(`${mail.kind}.text`, { site })
  return t(`second-step-changed.${mail.change}`, { site, name: 'name' in mail ? mail.name : '' })
}

function composeNewDeviceMail(ctx: Ctx, reader: Reader, { device: { browser, system }, at }: NewDeviceMail): MailContent {
  const { t, site, buildPageUrl, buildContent, formatMoment } = createMailParts(ctx, reader)
  const device = browser && system ? t('new-device.named', { browser, system }) : (browser ?? system ?? t('new-device.unknown'))
  return buildContent(t('new-device.subject', { site }), t('new-device.text', { site, device, when: formatMoment(at) }), {
    action: { label: t('new-device.action'), href: buildPageUrl('/account/devices') },
    small: [t('new-device.was-you'), t('second-step-not-you', { site })],
  })
}
