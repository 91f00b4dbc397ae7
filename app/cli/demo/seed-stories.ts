import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { getKind } from '#app/features/contributions/kinds/kinds.ts'
import { drawPhoto } from '#app/features/contributions/posting/keep-photo.server.ts'
import { buildPhotoKey } from '#app/features/contributions/photos/stored-photos.server.ts'
import { buildContributionSearch } from '#app/features/contributions/record/contribution-search.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import { activities, contributionPhotos, replies } from '#app/server/db/schema/contributions.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { insertContributions, insertSupports, makeUpHash } from './insert-contributions.ts'
import { insertAll } from './insert-rows.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

const READ_AFTER_MS = 3 * 3_600_000
const DECIDED_WITHIN_MS = 3 * 86_400_000
const PICTURE_WIDTH = 1600

/** Stories of a project with their pictures: published ones, and one that waits for a moderator. */
export async function seedStories(
  { tx, siteId, content, calendar, storage }: SeedContext,
  people: People,
  placed: PlacedContent,
): Promise<void> {
  const given = content.stories
  const project = placed.projects.find((one) => one.project.slug === given?.project)
  if (!given || !project) return
  const activityId = createId()
  await tx.insert(activities).values({
    siteId,
    id: activityId,
    projectId: project.id,
    kind: 'stories',
    slug: given.activity.slug,
    title: given.activity.title,
    intro: given.activity.intro,
    status: 'published',
    settings: requireValid(getKind('stories').settings, { categories: given.activity.categories }),
    position: 1,
    hasOpened: true,
    numbered: given.stories.length,
    ...buildSearchFields(given.activity.title, given.activity.intro),
  })
  const told = given.stories.map((story, index) => {
    const submittedAt = calendar.at(story.day, 10 + index, (index * 23) % 60)
    const text = { title: story.title, body: story.body, placeText: '' }
    const row = {
      ...text,
      siteId,
      id: createId(),
      activityId,
      number: index + 1,
      authorId: story.isFromDemoParticipant ? people.accounts.participant.id : null,
      shownAs: story.name ? ('first_name' as const) : ('anonymous' as const),
      shownName: story.name ?? '',
      language: content.locale,
      categories: [story.category],
      state: story.isHeld ? ('held' as const) : ('published' as const),
      supports: story.supports,
      repliesCount: story.replies?.length ?? 0,
      receiptHash: makeUpHash(`story ${index}`),
      submittedAt,
      publishedAt: story.isHeld ? null : new Date(submittedAt.getTime() + READ_AFTER_MS),
      ...(story.isHeld ? { searchTitle: '', searchText: '' } : buildContributionSearch(text)),
    }
    return { story, row }
  })
  const rows = told.map(({ row }) => row)
  await insertContributions(tx, rows)
  await insertSupports(tx, rows, 'reader')
  await insertAll(
    tx,
    replies,
    told.flatMap(({ story, row }) =>
      (story.replies ?? []).map(([shownName, body], at) => ({
        siteId,
        id: createId(),
        contributionId: row.id,
        shownName,
        language: row.language,
        body,
        state: 'published' as const,
        receiptHash: makeUpHash(`reply ${row.number} ${at}`),
        createdAt: new Date(row.submittedAt.getTime() + (at + 1) * 7_200_000),
      })),
    ),
  )
  await seedCases({ tx, siteId }, rows)
  if (!storage) return
  for (const { story, row } of told) {
    for (const [position, { file, alt }] of story.photos.entries()) {
      const picture = await readFile(new URL(`./pictures/${file}`, import.meta.url))
      const drawn = await drawPhoto(await sharp(picture).resize({ width: PICTURE_WIDTH }).png().toBuffer())
      const photo = { siteId, id: randomUUID() }
      await tx.insert(contributionPhotos).values({
        ...photo,
        activityId,
        heldBy: row.id,
        keyHash: makeUpHash(photo.id),
        position,
        alt,
        width: drawn.width,
        height: drawn.height,
        bytes: drawn.files.reduce((sum, [, { length }]) => sum + length, 0),
        touchedAt: row.submittedAt,
        sentAt: row.submittedAt,
      })
      for (const [width, bytes] of drawn.files) await storage.put(buildPhotoKey(photo, width), bytes)
    }
  }
}

/** The case of each story: all but the one that waits were read and published. */
async function seedCases(
  { tx, siteId }: Pick<SeedContext, 'tx' | 'siteId'>,
  rows: readonly { id: string; state: 'held' | 'published'; submittedAt: Date }[],
): Promise<void> {
  const cases = rows.map(({ id, state, submittedAt }) => ({
    siteId,
    id: createId(),
    contributionId: id,
    openedBy: 'before' as const,
    openedAt: submittedAt,
    dueAt: new Date(submittedAt.getTime() + DECIDED_WITHIN_MS),
    state: state === 'held' ? ('open' as const) : ('decided' as const),
    decidedAt: state === 'held' ? null : new Date(submittedAt.getTime() + READ_AFTER_MS),
  }))
  await insertAll(tx, moderationCases, cases)
  await insertAll(
    tx,
    moderationDecisions,
    cases.flatMap(({ id, decidedAt }) =>
      decidedAt ? [{ siteId, id: createId(), caseId: id, decision: 'publish' as const, decidedAt }] : [],
    ),
  )
}
