import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { buildContributionSearch } from '#app/features/contributions/record/contribution-search.ts'
import { buildStartingStatuses } from '#app/features/contributions/managing/activities.editing.server.ts'
import type { ActivityKind } from '#app/features/contributions/kinds/kinds.ts'
import { getKind } from '#app/features/contributions/kinds/kinds.ts'
import type { ContributionInput } from '#app/features/contributions/posting/submit-contribution.server.ts'
import { requireValid } from '#app/lib/validate.ts'
import { createId } from '#app/lib/uuid.ts'
import {
  activities,
  contributions,
  contributionStatuses,
  contributionVersions,
  projectStages,
} from '#app/server/db/schema/contributions.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, inAllLanguages } from './surveys.ts'

type ActivityValues = Partial<Omit<typeof activities.$inferInsert, 'kind'>> & { kind?: ActivityKind }

/** A published, open activity in a new project, unless the values say otherwise. */
export async function addActivity(runtime: Runtime, site: Site, { settings, kind = 'ideas', ...values }: ActivityValues = {}) {
  const project = values.projectId ? undefined : await addProject(runtime, site)
  const id = values.id ?? createId()
  const row = {
    projectId: project?.id ?? '',
    slug: `activity-${id}`,
    title: inAllLanguages('Ideas for the park'),
    status: 'published' as const,
    ...values,
    kind,
    settings: requireValid(getKind(kind).settings, settings ?? {}),
    siteId: site.id,
    id,
  }
  const statuses = buildStartingStatuses({ site }, id, kind)
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(activities).values(row)
    if (statuses.length > 0) await tx.insert(contributionStatuses).values(statuses)
  })
  return { ...row, projectSlug: project?.slug ?? '', statuses }
}

export async function addStage(runtime: Runtime, site: Site, values: Partial<typeof projectStages.$inferInsert> & { projectId: string }) {
  const row = { id: createId(), title: inAllLanguages('Listening'), startsAt: new Date('2026-01-01T00:00:00Z'), ...values, siteId: site.id }
  await runtime.database.site(site.id).tx((tx) => tx.insert(projectStages).values(row))
  return row
}

/** A published contribution, unless the values say otherwise. */
export async function addContribution(
  runtime: Runtime,
  site: Site,
  values: Partial<typeof contributions.$inferInsert> & { activityId: string; number: number },
) {
  const text = { title: `Idea ${values.number}`, body: 'More trees along the river.', placeText: '' }
  const state = values.state ?? 'published'
  const row = {
    id: createId(),
    language: 'en' as const,
    receiptHash: Buffer.from(createId()),
    submittedAt: new Date('2026-01-05T00:00:00Z'),
    ...text,
    ...values,
    state,
    publishedAt: values.publishedAt ?? (state === 'held' || state === 'declined' ? null : new Date('2026-01-06T00:00:00Z')),
    siteId: site.id,
  }
  await runtime.database.site(site.id).tx(async (tx) => {
    await tx.insert(contributions).values({ ...row, ...(state === 'published' ? buildContributionSearch(row) : {}) })
    await tx
      .update(activities)
      .set({ numbered: sql`greatest(${activities.numbered}, ${row.number})` })
      .where(eq(activities.id, row.activityId))
    if (state === 'held') {
      const openedAt = row.submittedAt ?? new Date()
      const dueAt = new Date(openedAt.getTime() + 3 * 86_400_000)
      await tx
        .insert(moderationCases)
        .values({ siteId: site.id, id: createId(), contributionId: row.id, openedBy: 'before', openedAt, dueAt })
    }
    await tx.insert(contributionVersions).values({
      siteId: site.id,
      id: createId(),
      contributionId: row.id,
      number: 1,
      title: row.title,
      body: row.body,
      wasPublic: state === 'published',
    })
  })
  return row
}

/** What a form sends for one contribution without an account. */
export const buildContributionInput = (now: Date, more: Partial<ContributionInput> = {}): ContributionInput => ({
  id: v7({ msecs: now.getTime() }),
  sendKey: 'only-the-sender-knows',
  title: 'Benches by the river',
  body: 'People my age need somewhere to sit.',
  categories: [],
  shownAs: 'anonymous',
  shownName: '',
  areaId: null,
  placeText: '',
  ...more,
})
