import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { PlacedContribution } from '../record/loading.server.ts'
import { loadReader } from '../moderation/decision-mails.server.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'

const KIND = 'agreement-asked'

interface AgreementRequest {
  /** Of all contributions that would be answered. */
  projects: readonly PlacedContribution['project'][]
  /** The one contribution, or how many. */
  about: PlacedContribution | number
}

/** Tells the colleagues who may agree to an answer that it waits for one of them: those who may answer all of it, but not who asked. */
export async function mailAgreementRequest(ctx: Ctx, tx: Tx, { projects, about }: AgreementRequest): Promise<void> {
  const lists: string[][] = []
  for (const project of projects) lists.push((await listPermittedPeople(ctx, tx, 'contributions.answer', project)).map(({ id }) => id))
  const [first = [], ...others] = lists
  const own = findOwnId(ctx)
  for (const id of first) if (id !== own && others.every((list) => list.includes(id))) await mailColleague(ctx, tx, id, about)
}

async function mailColleague(ctx: Ctx, tx: Tx, userId: string, about: AgreementRequest['about']): Promise<void> {
  const { site, viewer } = ctx
  const reader = await loadReader(ctx, tx, userId)
  if (!reader || viewer.kind !== 'user') return
  const { language } = reader
  const t = getTranslator(language, 'mail')
  const names = { site: site.name, who: viewer.login }
  const isOne = typeof about !== 'number'
  const one = isOne && {
    number: about.contribution.number,
    title: about.contribution.title,
    activity: getTranslation(about.activity.title, language, site.locale),
  }
  const path = isOne ? `/admin/contributions/${about.contribution.id}` : '/admin/contributions'
  await queueMail(ctx, tx, {
    kind: KIND,
    to: reader.email,
    userId,
    language,
    content: {
      subject: one
        ? t('agreement-asked.subject', { ...names, ...one })
        : t('agreement-asked.subject-many', { ...names, count: Number(about) }),
      paragraphs: [
        one ? t('agreement-asked.text', { ...names, ...one }) : t('agreement-asked.text-many', { ...names, count: Number(about) }),
        t('agreement-asked.what-to-do'),
      ],
      action: { label: t('agreement-asked.action'), href: buildSiteUrl(ctx, path) },
      footer: t('agreement-asked.footer', names),
    },
  })
}
