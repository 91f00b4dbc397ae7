import { buildStartingStatuses } from '#app/features/contributions/managing/activities.editing.server.ts'
import { buildContributionSearch } from '#app/features/contributions/record/contribution-search.ts'
import { getKind } from '#app/features/contributions/kinds/kinds.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import {
  activities,
  contributionStatuses,
  officialResponses,
  projectStages,
  reactions,
  replies,
} from '#app/server/db/schema/contributions.ts'
import { insertContributions, makeUpHash } from './insert-contributions.ts'
import { insertAll } from './insert-rows.ts'
import { seedModeration } from './seed-moderation.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

const FIRST_DAY = -24

/** The stages and ideas of a site's project: supported, discussed, some answered and some waiting for a moderator. */
export async function seedContributions(
  { tx, siteId, content, calendar }: SeedContext,
  people: People,
  placed: PlacedContent,
): Promise<void> {
  const given = content.ideas
  const project = placed.projects.find((one) => one.project.slug === given?.project)
  if (!given || !project) return
  const stages = given.stages.map(({ starts, ends, ...stage }, position) => ({
    ...stage,
    siteId,
    id: createId(),
    projectId: project.id,
    position,
    startsAt: calendar.at(starts, 8),
    endsAt: calendar.at(ends, 20),
  }))
  await tx.insert(projectStages).values(stages)
  const activityId = createId()
  await tx.insert(activities).values({
    siteId,
    id: activityId,
    projectId: project.id,
    stageId: stages[0]?.id ?? null,
    kind: 'ideas',
    slug: given.activity.slug,
    title: given.activity.title,
    intro: given.activity.intro,
    status: 'published',
    settings: requireValid(getKind('ideas').settings, { categories: given.activity.categories, reactions: given.reactions }),
    position: 1,
    hasOpened: true,
    numbered: given.ideas.length,
    ...buildSearchFields(given.activity.title, given.activity.intro),
  })
  const statuses = buildStartingStatuses({ site: { id: siteId } }, activityId, 'ideas')
  await tx.insert(contributionStatuses).values(statuses)
  const findStatus = (code: string) => statuses.find((status) => status.code === code)?.id ?? null
  const rows = given.ideas.map((idea, index) => {
    const state = idea.state ?? ('published' as const)
    const submittedAt = calendar.at(FIRST_DAY + Math.floor((index * -FIRST_DAY) / given.ideas.length), 9 + (index % 11), (index * 17) % 60)
    const text = { title: idea.title, body: idea.body, placeText: '' }
    const answer = given.answers.find(({ of }) => of === idea.title)
    const participant = people.participants[index]
    return {
      ...text,
      siteId,
      id: createId(),
      activityId,
      number: index + 1,
      authorId: index % 3 === 0 || state === 'declined' ? (participant?.id ?? null) : null,
      shownAs: idea.name ? ('first_name' as const) : ('anonymous' as const),
      shownName: idea.name ?? '',
      language: idea.language,
      categories: [idea.category],
      source: 'web' as const,
      state,
      reason: state === 'declined' ? (given.declinedReason[idea.language] ?? '') : '',
      version: 1,
      statusId: findStatus(answer?.status ?? 'received'),
      supports: idea.supports,
      disagrees: idea.disagrees ?? 0,
      repliesCount: idea.replies?.length ?? 0,
      receiptHash: makeUpHash(`receipt ${index}`),
      submittedAt,
      publishedAt: state === 'published' ? new Date(submittedAt.getTime() + 5 * 3_600_000) : null,
      ...(state === 'published' ? buildContributionSearch(text) : { searchTitle: '', searchText: '' }),
    }
  })
  await insertContributions(tx, rows)
  await seedModeration({ tx, siteId, calendar }, people, given, rows)
  await insertAll(
    tx,
    reactions,
    rows.flatMap(({ id, supports, disagrees, submittedAt }) =>
      Array.from({ length: supports + disagrees }, (_, at) => ({
        siteId,
        id: createId(),
        contributionId: id,
        personHash: makeUpHash(`supporter ${at}`),
        byAccount: false,
        value: at >= supports ? ('disagree' as const) : given.reactions === 'agree_disagree' ? ('agree' as const) : ('support' as const),
        createdAt: submittedAt,
      })),
    ),
  )
  await insertAll(
    tx,
    replies,
    rows.flatMap((row, index) =>
      (given.ideas[index]?.replies ?? []).map(([shownName, body], at) => ({
        siteId,
        id: createId(),
        contributionId: row.id,
        role: 'person' as const,
        shownName,
        language: row.language,
        body,
        state: 'published' as const,
        reason: '',
        receiptHash: makeUpHash(`reply ${index} ${at}`),
        createdAt: new Date(row.submittedAt.getTime() + (at + 1) * 7_200_000),
      })),
    ),
  )
  await insertAll(
    tx,
    officialResponses,
    given.answers.map(({ of, status, text, team, days }) => ({
      siteId,
      id: createId(),
      contributionId: rows.find(({ title }) => title === of)?.id ?? '',
      statusId: findStatus(status),
      text,
      team,
      version: 1,
      createdBy: people.accounts.hubAdmin.id,
      createdAt: calendar.at(days, 11),
    })),
  )
}
