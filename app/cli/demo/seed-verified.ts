import { buildStartingStatuses } from '#app/features/contributions/managing/activities.editing.server.ts'
import { buildContributionSearch } from '#app/features/contributions/record/contribution-search.ts'
import { getKind } from '#app/features/contributions/kinds/kinds.ts'
import { hashEntry } from '#app/features/verifications/eligibility-fields.server.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import { activities, contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { eligibilityEntries, eligibilityLists } from '#app/server/db/schema/verifications.ts'
import { DEMO_CARD } from './demo-accounts.ts'
import { insertContributions, insertSupports, makeUpHash } from './insert-contributions.ts'
import { insertAll } from './insert-rows.ts'
import type { PlacedContent, SeedContext } from './seed-context.ts'

const FIRST_DAY = -14
const VALID_DAYS = 365
const FIELDS = ['card-number'] as const

/** An activity for people on a list, with the list. @returns the list's id */
export async function seedVerifiedIdeas(
  { tx, siteId, content, calendar, secret }: SeedContext,
  placed: PlacedContent,
): Promise<string | undefined> {
  const given = content.verifiedIdeas
  const project = placed.projects.find((one) => one.project.slug === given?.project)
  if (!given || !project) return undefined
  const listId = createId()
  const cards = [DEMO_CARD, ...Array.from({ length: given.list.cards - 1 }, (_, at) => `RB ${4000 + at * 7} ${1000 + at * 13}`)]
  const entries = cards.flatMap((card) => {
    const entry = hashEntry({ runtime: { secret }, site: { id: siteId } }, { id: listId, fields: FIELDS }, { 'card-number': card })
    return entry ? [{ siteId, listId, ...entry }] : []
  })
  await tx.insert(eligibilityLists).values({
    siteId,
    id: listId,
    name: given.list.name,
    level: 'resident',
    fields: [...FIELDS],
    validUntil: calendar.at(VALID_DAYS, 12),
    entries: entries.length,
  })
  await insertAll(tx, eligibilityEntries, entries)
  const activityId = createId()
  const { activity, ideas } = given
  await tx.insert(activities).values({
    siteId,
    id: activityId,
    projectId: project.id,
    kind: 'ideas',
    slug: activity.slug,
    title: activity.title,
    intro: activity.intro,
    status: 'published',
    postAccess: 'verified',
    reactAccess: 'verified',
    settings: requireValid(getKind('ideas').settings, { verification: { level: 'resident', list: listId } }),
    position: 2,
    hasOpened: true,
    numbered: ideas.length,
    ...buildSearchFields(activity.title, activity.intro),
  })
  const statuses = buildStartingStatuses({ site: { id: siteId } }, activityId, 'ideas')
  await tx.insert(contributionStatuses).values(statuses)
  const rows = ideas.map((idea, at) => {
    const submittedAt = calendar.at(FIRST_DAY + at * 3, 9 + at, 12)
    const text = { title: idea.title, body: idea.body, placeText: '' }
    return {
      ...text,
      siteId,
      id: createId(),
      activityId,
      number: at + 1,
      language: idea.language,
      state: 'published' as const,
      statusId: statuses[0]?.id ?? null,
      supports: idea.supports,
      receiptHash: makeUpHash(`fund ${at}`),
      submittedAt,
      publishedAt: submittedAt,
      ...buildContributionSearch(text),
    }
  })
  await insertContributions(tx, rows)
  await insertSupports(tx, rows, 'card')
  return listId
}
