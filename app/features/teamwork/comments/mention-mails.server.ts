import { and, eq, inArray } from 'drizzle-orm'
import { canSignIn } from '#app/features/accounts/site-admins.server.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { localiseTargetTitle, type PlacedTarget } from '../targets.server.ts'
import { buildTargetPath, COMMENTS_HASH } from '../targets.schema.ts'
import { loadTeamMails } from '../team-mails.server.ts'

/** Emails colleagues that they were mentioned, each once and only those who want it. Nobody is told of what they wrote themselves. */
export async function mailMentions(
  ctx: Ctx,
  tx: Tx,
  { body, target, userIds }: { body: string; target: PlacedTarget; userIds: readonly string[] },
): Promise<void> {
  const { site, viewer } = ctx
  const readers = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, site.id), inArray(users.id, [...userIds])))
  for (const reader of readers) {
    if (reader.id === findOwnId(ctx) || !canSignIn(reader) || !(await loadTeamMails(tx, site.id, reader.id)).mentions) continue
    const language = matchLanguage(reader.locale, site.languages) ?? site.locale
    const t = getTranslator(language, 'mail')
    const names = {
      site: site.name,
      who: viewer.kind === 'user' ? viewer.login : site.name,
      title: localiseTargetTitle({ contentLanguage: language, site }, target.title),
    }
    await queueMail(ctx, tx, {
      kind: 'mentioned',
      to: reader.email,
      userId: reader.id,
      language,
      content: {
        subject: t('mentioned.subject', names),
        paragraphs: [t('mentioned.text', names), body],
        action: { label: t('mentioned.action'), href: buildSiteUrl(ctx, `${buildTargetPath(target, target.projectId)}#${COMMENTS_HASH}`) },
        footer: t('mentioned.footer', names),
        settings: { label: t('mentioned.settings'), href: buildSiteUrl(ctx, `/${language}/account/follows`) },
      },
    })
  }
}
