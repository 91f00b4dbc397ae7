import { and, eq, isNotNull, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { selectShownPicture } from '#app/features/media/media.pictures.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { isClosedSql } from '#app/features/surveys/surveys.state.server.ts'
import { buildPictureAttributes } from '#app/lib/picture-address.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Phase, ProjectCardView } from './projects.schema.ts'

/** A project's phase as SQL, matching what people are shown. */
export const phaseSql = (now: Date | Placeholder): SQL<Phase> => sql<Phase>`case
  when ${projects.status} <> 'archived' and ${projects.opensAt} > ${now} then 'upcoming'
  when ${projects.status} <> 'archived' and (${projects.closesAt} is null or ${projects.closesAt} > ${now}) then 'open'
  when ${projects.outcome} <> '{}'::jsonb then 'results'
  else 'closed' end`

/** Base query for project cards, to filter, sort and limit. */
export const selectCards = (tx: Tx, now: Date) =>
  tx
    .select({
      id: projects.id,
      slug: projects.slug,
      title: projects.title,
      summary: projects.summary,
      status: projects.status,
      visibility: projects.visibility,
      opensAt: projects.opensAt,
      closesAt: projects.closesAt,
      participants: projects.participants,
      picture: selectShownPicture(projects.siteId, projects.picture),
      phase: phaseSql(now),
      minutes: sql<number | null>`(select min(${surveys.minutes}) from ${surveys}
        where ${surveys.siteId} = ${projects.siteId} and ${surveys.projectId} = ${projects.id} and ${surveys.status} = 'published'
        and not ${isClosedSql(now)})`,
      hub: { slug: hubs.slug, title: hubs.title },
      topic: { slug: topics.slug, title: topics.title },
    })
    .from(projects)
    .leftJoin(hubs, and(eq(hubs.siteId, projects.siteId), eq(hubs.id, projects.hubId), isNotNull(hubs.publishedAt)))
    .leftJoin(topics, and(eq(topics.siteId, projects.siteId), eq(topics.id, projects.topicId)))
    .$dynamic()

export type CardRow = Awaited<ReturnType<typeof selectCards>>[number]

export function toCardView({ contentLanguage, site }: Ctx, row: CardRow): ProjectCardView {
  const localise = (translated: Parameters<typeof localiseText>[0]) => localiseText(translated, contentLanguage, site.locale)
  const toNamedLink = (found: CardRow['hub']) => (found ? { slug: found.slug, title: localise(found.title) } : null)
  return {
    id: row.id,
    slug: row.slug,
    title: localise(row.title),
    summary: localise(row.summary),
    phase: row.phase,
    archived: row.status === 'archived',
    membersOnly: row.visibility === 'members',
    opensAt: row.opensAt?.toISOString() ?? null,
    closesAt: row.closesAt?.toISOString() ?? null,
    participants: row.participants,
    minutes: row.minutes,
    picture: row.picture === null ? null : buildPictureAttributes(row.picture),
    hub: toNamedLink(row.hub),
    topic: toNamedLink(row.topic),
  }
}
