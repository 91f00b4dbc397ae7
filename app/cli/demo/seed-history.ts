import { chainLines } from '#app/features/audit/audit.chain.server.ts'
import { CONTENT_SCHEMA } from '#app/features/homepage/homepage.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { layoutMail } from '#app/server/mail/layout-mail.ts'
import { auditChains, auditEvents } from '#app/server/db/schema/audit.ts'
import { appearanceRevisions, homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { embedDomains } from '#app/server/db/schema/sites.ts'
import type { Translated } from '#app/lib/translated.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { buildHubBlocks } from './hub-blocks.ts'
import { buildHomeBlocks } from './home-blocks.ts'
import { insertAll } from './insert-rows.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

/** What administrators did: revisions of homepage and appearance, a few mails, and the audit trail of it all. */
export async function seedHistory(seeding: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  await seedRevisions(seeding, people, placed)
  await seedMails(seeding, people)
  await seedTrail(seeding, people, placed)
}

async function seedRevisions({ tx, siteId, content, calendar }: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  const by = people.accounts.siteAdmin.id
  const [first, current, draft] = [createId(), createId(), createId()]
  const buildContent = (title: Translated) => ({ schema: CONTENT_SCHEMA, blocks: buildHomeBlocks(content, placed, title) })
  await insertAll(tx, homepageRevisions, [
    {
      siteId,
      id: first,
      content: buildContent(content.home.before),
      createdBy: by,
      createdAt: calendar.at(-96, 14),
      publishedAt: calendar.at(-95, 9),
    },
    {
      siteId,
      id: current,
      parentId: first,
      content: buildContent(content.home.hero.title),
      createdBy: by,
      createdAt: calendar.at(-13, 15),
      publishedAt: calendar.at(-12, 9),
    },
    { siteId, id: draft, parentId: current, content: buildContent(content.home.draft), createdBy: by, createdAt: calendar.at(-1, 16) },
  ])
  await seedHubPage({ tx, siteId, content, calendar }, people, placed)
  await insertAll(tx, appearanceRevisions, [
    {
      siteId,
      id: createId(),
      content: { ...content.palette, mark: `/demo/${content.slug}/mark.svg` },
      createdBy: by,
      createdAt: calendar.at(-401, 15),
      publishedAt: calendar.at(-400, 9),
    },
  ])
}

/** One department has its own page, with every kind of block that the site's homepage does not use. */
async function seedHubPage(
  { tx, siteId, content, calendar }: Pick<SeedContext, 'tx' | 'siteId' | 'content' | 'calendar'>,
  people: People,
  placed: PlacedContent,
): Promise<void> {
  const hub = content.hubs.find(({ slug }) => slug !== content.people.hubOfAdmin)
  const hubId = hub && placed.hubs.get(hub.slug)
  if (!hub || !hubId) return
  const formatDay = (days: number) => calendar.at(days, 12).toISOString().slice(0, 10)
  await insertAll(tx, homepageRevisions, [
    {
      siteId,
      id: createId(),
      placeId: hubId,
      content: { schema: CONTENT_SCHEMA, blocks: buildHubBlocks(content, placed, hub.slug, formatDay) },
      createdBy: people.accounts.siteAdmin.id,
      createdAt: calendar.at(-40, 15),
      publishedAt: calendar.at(-39, 9),
    },
  ])
  await insertAll(tx, embedDomains, [{ siteId, host: 'openstreetmap.org', createdAt: calendar.at(-41, 9) }])
}

async function seedMails({ tx, siteId, content, calendar }: SeedContext, people: People): Promise<void> {
  await insertAll(
    tx,
    outboxMails,
    content.mails.map((mail) => {
      const { id: userId, email, language } = people.accounts[mail.to]
      const toText = (text: Translated) => getTranslation(calendar.fill(text), language)
      const subject = toText(mail.subject)
      const body = layoutMail({ subject, paragraphs: toText(mail.text).split('\n\n'), footer: toText(content.mailFooter) }, language)
      const sentAt = calendar.at(mail.day, 9, 6)
      return {
        siteId,
        id: createId(),
        kind: mail.kind,
        recipient: email,
        userId,
        language,
        subject,
        bodyText: body.text,
        bodyHtml: body.html,
        createdAt: calendar.at(mail.day, 9, 5),
        nextAttemptAt: sentAt,
        sentAt,
        attempts: 1,
      }
    }),
  )
}

async function seedTrail({ tx, siteId, calendar, random }: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  const { siteAdmin, hubAdmin, projectAdmin } = people.accounts
  const rows: AuditLine[] = []
  for (const { id, hubId, project } of placed.projects) {
    const about = { siteId, subjectType: 'projects', subjectId: id, hubId, projectId: id, address: '192.0.2.10' }
    const published = Math.min((project.opens ?? -30) - 4, -2)
    rows.push({
      ...about,
      id: createId(),
      at: calendar.at(published - 14, 11),
      actorId: siteAdmin.id,
      actorRole: 'site_admin',
      action: 'projects.create',
    })
    if (project.status === 'published' || project.status === 'archived') {
      rows.push({
        ...about,
        id: createId(),
        at: calendar.at(published, 10),
        actorId: siteAdmin.id,
        actorRole: 'site_admin',
        action: 'projects.publish',
      })
    }
    if (project.archived !== undefined) {
      rows.push({
        ...about,
        id: createId(),
        at: calendar.at(project.archived, 16),
        actorId: siteAdmin.id,
        actorRole: 'site_admin',
        action: 'projects.archive',
      })
    }
  }
  const signIns = [
    [siteAdmin, 'site_admin'],
    [hubAdmin, 'hub_admin'],
    [projectAdmin, 'project_admin'],
  ] as const
  for (const [person, role] of signIns) {
    for (let n = 0; n < 8; n++) {
      const at = calendar.at(-random.int(1, 45), random.int(8, 17), random.int(0, 59))
      rows.push({
        siteId,
        id: createId(),
        at,
        actorId: person.id,
        actorRole: role,
        action: 'sessions.create',
        subjectType: 'users',
        subjectId: person.id,
        address: '192.0.2.10',
      })
    }
  }
  const lines = chainLines(rows.map((row) => ({ ...NOWHERE, ...row })).toSorted((a, b) => a.at.getTime() - b.at.getTime()))
  await insertAll(tx, auditEvents, lines)
  const last = lines.at(-1)
  if (last) await insertAll(tx, auditChains, [{ siteId, sequence: last.sequence, hash: last.hash }])
}

const NOWHERE: { hubId: string | null; projectId: string | null; detail: unknown } = { hubId: null, projectId: null, detail: {} }
type AuditLine = Omit<Parameters<typeof chainLines>[0][number], keyof typeof NOWHERE> & Partial<typeof NOWHERE>
