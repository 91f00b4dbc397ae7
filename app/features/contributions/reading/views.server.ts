import { and, asc, count, desc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { selectAreaName } from '#app/features/areas/area-names.server.ts'
import { readSiteMap } from '#app/features/areas/map/site-map.server.ts'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Box, formatBox, parseBox } from '#app/lib/geometry.ts'
import { CARD_LETTERS, localiseExcerpt } from '#app/lib/rich-text.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { activities, contributions, isPublished, projectStages } from '#app/server/db/schema/contributions.ts'
import { joinTexts, searchTexts, toSearchWords } from '#app/server/db/text-search.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import {
  type ActivityAddress,
  type PlacedActivity,
  findActivityRefusal,
  requireActivityAt,
  selectPlacedActivities,
} from '../record/activities.policy.server.ts'
import { findInvitationState } from '../record/invitation-state.server.ts'
import { getActivityState, getPostingTimes, getStageState } from '../record/activities.state.server.ts'
import { explainAbsence } from './absence.server.ts'
import {
  type ActivityFrame,
  loadActivityView,
  loadStatuses,
  readActivityFrame,
  type StatusRow,
  toActivityView,
} from './activity-view.server.ts'
import { createLocaliser, loadStoredAnswers, toAnswerViews } from '../record/answers.server.ts'
import { loadFormerVersions, toFormerVersionViews } from './former-versions.server.ts'
import { loadMappedPage, loadPage } from './load-page.server.ts'
import { loadOwnPart } from './own-part.server.ts'
import { loadReplies, toReplyView } from './page-replies.server.ts'
import { toLang } from './text-language.server.ts'
import type { ContributionRow } from '../record/loading.server.ts'
import {
  type ActivityCardView,
  type ActivityView,
  type AuthorView,
  type ContributionEntry,
  type ContributionListView,
  type ContributionPageView,
  type ContributionSearch,
  type ContributionSort,
  type ContributionView,
  type OfficialAnswerView,
  type ProjectActivitiesView,
} from '../record/contributions.schema.ts'
import { isActivityKind, readActivitySettings } from '../kinds/kinds.ts'
import { loadShownLayers } from '../layers/draw-layers.server.ts'
import { describeFields } from '../fields/fields.server.ts'
import { loadMergeView, loadRelated } from '../merging/merge-views.server.ts'
import { isUnanswered } from '../questions/question-state.server.ts'
import { measureGeometry } from '../record/drawing.schema.ts'
import { describeFoundName } from '#app/features/areas/map/found-name.schema.ts'
import { searchPlacesAt } from '../places/search-places.server.ts'
import { isPinInBox, touchesBox } from '../places/place-filters.server.ts'
import { loadPhotos } from '../photos/stored-photos.server.ts'
import type { PhotoView } from '../record/photos.schema.ts'
import { buildPlacesMap, findBoxInSight, findSign } from '../places/place-map.server.ts'
import { isPhotoPart, parseShown, type TranslatableView } from '../record/translations.schema.ts'
import { loadEntryTranslations, loadPageTranslations } from '../translating/page-translations.server.ts'
import { listAnswerSources, toContributionSource, toReplySource, toVersionSource } from '../translating/text-sources.server.ts'
import { drawContributionMap } from '../places/contribution-map.server.ts'

const EXCERPT_LETTERS = 280

/** Stages and activities for a project's page. @throws {AppError} `not-found`, `gone` */
export function getProjectActivities(ctx: Ctx, input: { slug: string; preview?: string | undefined }): Promise<ProjectActivitiesView> {
  const now = ctx.now()
  const localise = createLocaliser(ctx)
  const scopes: ContentScopes = {}
  const load = async (tx: Tx): Promise<ProjectActivitiesView> => {
    const project = await requireProjectBySlug(ctx, tx, input.slug)
    scopes.project = project.id
    const { preview } = await requireVisibleProject(ctx, tx, project, input.preview)
    const stages = await tx
      .select()
      .from(projectStages)
      .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.projectId, project.id)))
      .orderBy(asc(projectStages.position), asc(projectStages.id))
      .limit(50)
    const placed = await selectPlacedActivities(tx)
      .where(and(eq(activities.siteId, ctx.site.id), eq(activities.projectId, project.id), ne(activities.status, 'draft')))
      .orderBy(asc(activities.position), asc(activities.id))
      .limit(50)
    const counts = placed.length ? await countPublished(ctx, tx, placed) : new Map<string, number>()
    // A preview shows activities as they will be once the project is published.
    const shown = preview && project.status !== 'archived' ? 'published' : project.status
    const cards = placed.flatMap(({ activity, stage }) => {
      if (!isActivityKind(activity.kind)) return []
      const timed = { activity, stage, project: { ...project, status: shown } }
      const times = getPostingTimes(timed)
      const card: ActivityCardView = {
        slug: activity.slug,
        kind: activity.kind,
        title: localise(activity.title),
        intro: localiseExcerpt(localise(activity.intro), CARD_LETTERS),
        state: getActivityState(now, timed),
        opensAt: times.opensAt?.toISOString() ?? null,
        closesAt: times.closesAt?.toISOString() ?? null,
        contributions: counts.get(activity.id) ?? 0,
        needsAccount: !['anyone', 'anyone_once', 'invited', 'verified'].includes(activity.postAccess),
        position: activity.position,
      }
      return [card]
    })
    return {
      stages: stages.map((stage) => ({
        id: stage.id,
        title: localise(stage.title),
        summary: localise(stage.summary),
        kind: stage.kind,
        startsAt: stage.startsAt.toISOString(),
        endsAt: stage.endsAt?.toISOString() ?? null,
        state: getStageState(now, stage),
        activities: placed
          .filter(({ activity }) => activity.stageId === stage.id)
          .map(({ activity }) => ({ slug: activity.slug, title: localise(activity.title) })),
      })),
      activities: cards,
      now: now.toISOString(),
    }
  }
  return readWithin(
    () => scopes,
    () => ctx.db.read(load),
  )
}

async function countPublished(ctx: Ctx, tx: Tx, placed: readonly PlacedActivity[]): Promise<Map<string, number>> {
  const ids = placed.map(({ activity }) => activity.id)
  const rows = await readWithin({ activity: ids }, async () =>
    tx
      .select({ activityId: contributions.activityId, total: count() })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), inArray(contributions.activityId, ids), isPublished))
      .groupBy(contributions.activityId),
  )
  return new Map(rows.map(({ activityId, total }) => [activityId, total]))
}

/**
 * One page of an activity's published contributions. The number of statements does not depend on how many there are. A place that is looked
 * for becomes the part of the map to which the list is narrowed.
 */
export async function listContributions(
  ctx: Ctx,
  address: ActivityAddress,
  { find, ...search }: ContributionSearch,
  readInvitation?: ReadInvitation,
): Promise<ContributionListView> {
  if (!find) return loadListAt(ctx, address, search, readInvitation)
  const [found] = await searchPlacesAt(ctx, { ...address, text: find })
  const { only: _, page: __, ...kept } = search
  const list = await loadListAt(ctx, address, found ? { ...kept, bbox: formatBox(found.box) } : search, readInvitation)
  return {
    ...list,
    sought: { text: find, found: found ? { name: describeFoundName(found) } : null },
  }
}

function loadListAt(
  ctx: Ctx,
  address: ActivityAddress,
  search: ContributionSearch,
  readInvitation: ReadInvitation | undefined,
): Promise<ContributionListView> {
  const scopes: ContentScopes = {}
  const load = async (tx: Tx): Promise<ContributionListView> => {
    const frame = await readActivityFrame(ctx, address)
    Object.assign(scopes, { project: frame.placed.project.id, activity: frame.placed.activity.id })
    return loadContributionList(ctx, tx, frame, search, readInvitation)
  }
  return readWithin(
    () => scopes,
    () => ctx.db.read(load),
  )
}

/** What an activity's page lists: also of an activity as it would be. */
export async function loadContributionList(
  ctx: Ctx,
  tx: Tx,
  { placed, statuses, areas: offered }: ActivityFrame,
  search: ContributionSearch,
  readInvitation?: ReadInvitation,
): Promise<ContributionListView> {
  const activity = toActivityView(ctx, { placed, areas: offered })
  const narrowed = activity.tools.places && search.bbox ? parseBox(search.bbox) : undefined
  const siteMap = activity.tools.places ? await readSiteMap(ctx) : undefined
  const inSight = siteMap && findBoxInSight(siteMap, narrowed)
  const asking = { activity, activityId: placed.activity.id, statuses, search, narrowed, isMapped: inSight !== undefined }
  const { where, order, found } = await findMatching(ctx, tx, asking)
  const sort = search.sort ?? 'newest'
  const asked = { where, order, page: search.page ?? 1 }
  const sight = inSight && { ...asked, box: inSight, activityId: placed.activity.id, sort }
  const loaded = await (sight ? loadMappedPage(ctx, tx, sight, found) : loadPage(ctx, tx, asked))
  const { rows, total, placed: onMap, extent, page, pages, squares } = loaded
  const toEntry = createEntryView(ctx, placed, statuses)
  const sources = rows.map(({ row, photos }) => toContributionSource(placed.activity, row, photos))
  const translations = await loadEntryTranslations(ctx, tx, sources, parseShown(search.translated))
  const mayPost = await findActivityRefusal(ctx, tx, 'contributions.post', placed, readInvitation)
  return {
    activity,
    entries: rows.map(({ row, area, photos, answers }) => ({
      ...toEntry(row, area, { answers: toAnswerViews(ctx, answers), photos }),
      ...toEntryTranslation(translations[row.id]),
    })),
    total,
    page,
    pages,
    search,
    statuses: activity.tools.answers ? statuses.map(({ id, title }) => ({ value: id, label: createLocaliser(ctx)(title).text })) : [],
    mayPost,
    invitation: await findInvitationState(ctx, tx, placed, { mayPost, readInvitation }),
    map: siteMap
      ? await buildPlacesMap(ctx, tx, siteMap, {
          activityId: placed.activity.id,
          where,
          extent,
          placed: onMap,
          total,
          narrowed,
          sort,
          squares,
          statusCode: (statusId) => findSign(statuses, statusId),
          layers: await loadShownLayers(ctx, tx, placed.activity),
        })
      : null,
    sought: null,
    signs: siteMap ? statuses.map(({ id, title }) => ({ code: findSign(statuses, id), label: createLocaliser(ctx)(title).text })) : [],
  }
}

/** A list shows the title and how the text begins, also of a translation. */
function toEntryTranslation(text: TranslatableView | undefined): Pick<ContributionEntry, 'translation'> {
  if (!text) return {}
  const { shown } = text
  const alts = Object.fromEntries(Object.entries(shown?.texts ?? {}).filter(([part]) => isPhotoPart(part)))
  const texts = { title: shown?.texts['title'] ?? '', body: cutText(shown?.texts['body'] ?? ''), ...alts }
  return { translation: { ...text, shown: shown && { ...shown, texts } } }
}

/**
 * The condition of what a list shows, and its order: best matches first if words were searched for and nothing else was asked. What is
 * searched for on a map is `found` by the statement that counts its squares.
 */
async function findMatching(
  ctx: Ctx,
  tx: Tx,
  asked: {
    activity: ActivityView
    activityId: string
    statuses: readonly StatusRow[]
    search: ContributionSearch
    narrowed: Box | undefined
    isMapped: boolean
  },
): Promise<{ where: SQL | undefined; order: SQL[]; found: SQL | undefined }> {
  const { activity, activityId, statuses, search, narrowed, isMapped } = asked
  const words = toSearchWords(search.q ?? '')
  const joined = words.length > 0 && isMapped ? joinTexts(ctx.site.id, words) : undefined
  const found = joined ?? (words.length > 0 ? await searchTexts(tx, ctx.site.id, words) : undefined)
  const status = statuses.find(({ id }) => id === search.status)
  const where = and(
    eq(contributions.siteId, ctx.site.id),
    eq(contributions.activityId, activityId),
    isPublished,
    found?.where(contributions.id),
    search.category ? sql`${contributions.categories} @> array[${search.category}]::text[]` : undefined,
    search.area && activity.areas.some(({ value }) => value === search.area) ? eq(contributions.areaId, search.area) : undefined,
    status ? eq(contributions.statusId, status.id) : undefined,
    narrowed && (search.only === 'pins' ? isPinInBox(narrowed) : touchesBox(ctx.site.id, narrowed)),
  )
  const best = found && !search.sort ? [sql`${found.score(contributions.id)} desc`] : buildOrder(search.sort ?? 'newest')
  return { where, order: [...best, desc(contributions.number)], found: joined?.found }
}

function buildOrder(sort: ContributionSort): SQL[] {
  switch (sort) {
    case 'newest':
      return [desc(contributions.publishedAt)]
    case 'supported':
      return [desc(contributions.supports)]
    case 'discussed':
      return [desc(contributions.repliesCount)]
    case 'unseen':
      return [sql`${contributions.supports} + ${contributions.disagrees} + ${contributions.repliesCount}`, asc(contributions.publishedAt)]
  }
}

export const toAuthorView = ({ shownAs, shownName }: Pick<ContributionRow, 'shownAs' | 'shownName'>, area: string | null): AuthorView => {
  if (shownAs === 'resident') return { residentOf: area ?? '' }
  return shownName ? { name: shownName } : {}
}

function createEntryView(ctx: Ctx, { activity }: PlacedActivity, statuses: readonly StatusRow[]) {
  const localise = createLocaliser(ctx)
  const { settings, tools } = readActivitySettings(activity)
  return (
    row: ContributionRow,
    area: string | null,
    { answers, photos }: { answers: readonly OfficialAnswerView[]; photos: PhotoView[] },
  ): ContributionEntry => {
    const status = tools.answers ? statuses.find(({ id }) => id === row.statusId) : undefined
    return {
      number: row.number,
      title: row.title,
      excerpt: cutText(row.body),
      ...toLang(ctx, row.language),
      author: toAuthorView(row, area),
      categories: settings.categories.filter(({ id }) => row.categories.includes(id)).map(({ title }) => localise(title)),
      place: [row.placeText, area].filter(Boolean).join(', '),
      drawn: (row.geometry && measureGeometry(row.geometry)) ?? null,
      status: status ? localise(status.title) : null,
      supports: row.supports,
      disagrees: row.disagrees,
      replies: row.repliesCount,
      publishedAt: (row.publishedAt ?? row.submittedAt).toISOString(),
      answer: answers.find(({ withdrawn }) => !withdrawn) ?? null,
      answered: row.answered,
      photos,
    }
  }
}

function cutText(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  const letters = Array.from(line)
  return letters.length <= EXCERPT_LETTERS ? line : `${letters.slice(0, EXCERPT_LETTERS).join('').trimEnd()}…`
}

/**
 * One contribution for its page; or, for one that is no longer there, why.
 * @param translated ids of the texts that the reader asked to see translated
 * @throws {AppError} `not-found`, also if it waits for a moderator
 */
export function getContribution(
  ctx: Ctx,
  address: ActivityAddress,
  number: number,
  browserToken: BrowserToken | undefined,
  readInvitation?: ReadInvitation,
  translated: readonly string[] = [],
): Promise<ContributionPageView> {
  const scopes: ContentScopes = {}
  const load = async (tx: Tx): Promise<ContributionPageView> => {
    const placed = await requireActivityAt(ctx, tx, address)
    const activity = await loadActivityView(ctx, tx, placed)
    const [found] = await tx
      .select({ row: contributions, area: selectAreaName(ctx) })
      .from(contributions)
      .leftJoin(areas, and(eq(areas.siteId, contributions.siteId), eq(areas.id, contributions.areaId)))
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.activityId, placed.activity.id), eq(contributions.number, number)))
    if (!found) throw new AppError('not-found')
    const { row, area } = found
    const { state } = row
    Object.assign(scopes, { project: placed.project.id, activity: placed.activity.id, contribution: row.id })
    if (state === 'held') throw new AppError('not-found')
    const stored = (await loadStoredAnswers(ctx, tx, [row.id])).get(row.id) ?? []
    const answers = toAnswerViews(ctx, stored)
    if (!READABLE_STATES.includes(state)) {
      return { activity, contribution: null, gone: { ...(await explainAbsence(ctx, tx, row)), answers } }
    }
    const statuses = await loadStatuses(ctx, tx, placed.activity.id)
    const photos = (await loadPhotos(ctx, tx, [row.id])).get(row.id) ?? []
    const { excerpt: _, answer: __, ...entry } = createEntryView(ctx, placed, statuses)(row, area, { answers, photos })
    // Read now: a later reader of a shared page has no cookie of this request.
    const brought = new Map([placed.activity.id, ctx.site.id].map((subject) => [subject, readInvitation?.(subject)]))
    const own = await readPersonal(ctx, ['contribution', row.id], (reader) =>
      reader.db.read((reading) =>
        loadOwnPart(reader, reading, { placed, contributionId: row.id, browserToken, readInvitation: (subject) => brought.get(subject) }),
      ),
    )
    const replyRows = await loadReplies(ctx, tx, row.id)
    const versions = row.version > 1 ? await loadFormerVersions(ctx, tx, row) : []
    const sources = [
      toContributionSource(placed.activity, row, photos),
      ...versions.map((version) => toVersionSource(placed.activity, row, version)),
      ...stored.flatMap((answer) => listAnswerSources(ctx, answer)),
      ...replyRows.map(toReplySource),
    ]
    const contribution: ContributionView = {
      ...entry,
      id: row.id,
      body: row.body,
      fields: describeFields(ctx, placed.activity, row.fields, { staff: false }),
      dueAt: isUnanswered(row) ? (row.dueAt?.toISOString() ?? null) : null,
      editedAt: row.editedAt?.toISOString() ?? null,
      answers,
      replyList: replyRows.map((reply) => toReplyView(ctx, reply)),
      translations: await loadPageTranslations(ctx, tx, row.id, sources, translated),
      versions: toFormerVersionViews(ctx, placed.activity, versions),
      mergedInto: state === 'merged' ? await loadMergeView(ctx, tx, row.id) : null,
      related: await loadRelated(ctx, tx, row.id),
      hasAccount: ctx.viewer.kind === 'user' && ctx.viewer.siteId === ctx.site.id,
      map: activity.tools.places ? await drawContributionMap(ctx, row, await loadShownLayers(ctx, tx, placed.activity)) : null,
      area: row.areaId && area ? { id: row.areaId, name: area } : null,
      ...own,
    }
    return { activity, contribution, gone: null }
  }
  return readWithin(
    () => scopes,
    () => ctx.db.read(load),
  )
}
