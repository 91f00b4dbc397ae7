import { and, eq } from 'drizzle-orm'
import { canSignIn, loadSiteAdmins } from '#app/features/accounts/site-admins.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { findCertificateEnd, findDueReminder } from './certificate-end.server.ts'
import { refreshMetadata } from './metadata-address.server.ts'

const isActive = (siteId: string) =>
  and(eq(identityProviders.siteId, siteId), eq(identityProviders.protocol, 'saml'), eq(identityProviders.state, 'active'))

/**
 * Warns each site's administrators by email 30, 14 and 3 days before an active provider's last certificate expires, because signing in
 * through it may fail from then on. Before that, metadata are read again: a new certificate may be there. If several warnings are overdue, only the latest is sent. Run by a job.
 * @returns how many reminders were due
 */
export const remindOfCertificates = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    await refreshMetadata(ctx)
    const providers = await ctx.db.read((tx) =>
      tx.select({ id: identityProviders.id }).from(identityProviders).where(isActive(ctx.site.id)),
    )
    let reminded = 0
    for (const { id } of providers) reminded += Number(await ctx.db.tx((tx) => remindOfProvider(ctx, tx, id)))
    return reminded
  })

async function remindOfProvider(ctx: Ctx, tx: Tx, id: string): Promise<boolean> {
  const own = and(isActive(ctx.site.id), eq(identityProviders.id, id))
  // Two processes may run at once: the second one waits here, and then sees that the reminder was sent.
  const [provider] = await tx.select().from(identityProviders).where(own).for('update')
  const end = provider && findCertificateEnd(provider.certificates)
  const due = end && findDueReminder(end, ctx.now())
  if (!due || (provider.remindedAt && provider.remindedAt >= due)) return false
  await tx.update(identityProviders).set({ remindedAt: ctx.now() }).where(own)
  for (const reader of (await loadSiteAdmins(tx, ctx.site.id)).filter(canSignIn))
    await mailReminder(ctx, tx, reader, { id, name: provider.name, end })
  return true
}

async function mailReminder(
  ctx: Ctx,
  tx: Tx,
  reader: { id: string; email: string; locale: string },
  provider: { id: string; name: string; end: Date },
): Promise<void> {
  const { site } = ctx
  const language = matchLanguage(reader.locale, site.languages) ?? site.locale
  const t = getTranslator(language, 'mail')
  const date = getFormatter({ language, timeZone: site.timeZone, region: site.region }).date(provider.end)
  const names = { site: site.name, provider: provider.name, date }
  const hasEnded = provider.end <= ctx.now()
  await queueMail(ctx, tx, {
    kind: 'certificate-ends',
    to: reader.email,
    userId: reader.id,
    language,
    content: {
      subject: t(`certificate-ends.${hasEnded ? 'subject-ended' : 'subject'}`, names),
      paragraphs: [t(`certificate-ends.${hasEnded ? 'text-ended' : 'text'}`, names), t('certificate-ends.what-to-do', names)],
      action: { label: t('certificate-ends.action', names), href: buildSiteUrl(ctx, `/admin/sign-in/${provider.id}`) },
      footer: t('certificate-ends.footer', names),
    },
  })
}
