import { and, eq } from 'drizzle-orm'
import { canSignIn } from '#app/features/accounts/site-admins.server.ts'
import type { PermittedPerson } from '#app/features/permissions/permitted-people.server.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

/** What a review is of, as its mails call it. */
type ReviewedThing = 'project' | 'report' | 'survey' | 'activity'

interface ReviewMail {
  thing: ReviewedThing
  /** Its own title; of a report, its project's. */
  title: Translated
  path: string
}

/** A person's address and language for mails; undefined if they cannot sign in. */
async function loadReader({ site }: Ctx, tx: Tx, userId: string) {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, site.id), eq(users.id, userId)))
  if (!user || !canSignIn(user)) return undefined
  return { email: user.email, language: matchLanguage(user.locale, site.languages) ?? site.locale }
}

/** Asks those who may publish a draft, but not the viewer, to look at it. */
export async function mailReviewRequest(
  ctx: Ctx,
  tx: Tx,
  {
    thing,
    title,
    path,
    project,
    people,
  }: ReviewMail & { thing: 'report' | 'survey' | 'activity'; project: Translated; people: readonly PermittedPerson[] },
): Promise<void> {
  const { site, viewer } = ctx
  if (viewer.kind !== 'user') return
  for (const { id, only } of people) {
    const reader = only || id === viewer.id ? undefined : await loadReader(ctx, tx, id)
    if (!reader) continue
    const { language } = reader
    const t = getTranslator(language, 'mail')
    const translate = (text: Translated) => getTranslation(text, language, site.locale)
    const names = { site: site.name, who: viewer.login, title: translate(title), project: translate(project) }
    await queueMail(ctx, tx, {
      kind: 'agreement-asked',
      to: reader.email,
      userId: id,
      language,
      content: {
        subject: t(`agreement-asked.subject-${thing}`, names),
        paragraphs: [t(`agreement-asked.text-${thing}`, names), t('agreement-asked.what-to-do-draft')],
        action: { label: t(`agreement-asked.action-${thing}`), href: buildSiteUrl(ctx, path) },
        footer: t('agreement-asked.footer-report', names),
      },
    })
  }
}

/** Tells the person who asked for a review why the draft was returned to them. */
export async function mailReturn(
  ctx: Ctx,
  tx: Tx,
  { thing, title, path, askerId, reason }: ReviewMail & { askerId: string | null; reason: string },
): Promise<void> {
  const { site, viewer } = ctx
  const reader = askerId && (await loadReader(ctx, tx, askerId))
  if (!reader || viewer.kind !== 'user') return
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const own = getTranslation(title, language, site.locale)
  const names = { site: site.name, project: thing === 'report' ? t('review-returned.report', { project: own }) : own, who: viewer.login }
  await queueMail(ctx, tx, {
    kind: 'review-returned',
    to: reader.email,
    userId: askerId,
    language,
    content: {
      subject: t('review-returned.subject', names),
      paragraphs: [t('review-returned.text', names), reason, t('review-returned.what-to-do', names)],
      action: {
        label: t(thing === 'project' ? 'review-returned.action' : `review-returned.action-${thing}`),
        href: buildSiteUrl(ctx, path),
      },
      footer: t('review-returned.footer', names),
    },
  })
}
