import { and, asc, desc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { loadShownPictures } from '#app/features/media/media.pictures.server.ts'
import { openDraftLink } from '#app/features/revisions/draft-links.server.ts'
import { isOpenSql, getSurveyState, getAnsweringTimes } from '#app/features/surveys/surveys.state.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { CARD_LETTERS, localiseExcerpt, parseLocalised, toExcerpt } from '#app/lib/rich-text.ts'
import { isSlug } from '#app/lib/slug.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { HeardReportKind } from '#app/lib/vocabulary/heard.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { decisionPublications, heardReports } from '#app/server/db/schema/heard.ts'
import { projectDates, projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { emailFollows, projectFollows, projectUpdates } from '#app/server/db/schema/updates.ts'
import { recordOpening } from './members/members.server.ts'
import { isProjectShown, type ProjectContent } from './project-content.schema.ts'
import { loadDraftContent, toContentColumns } from './project-revisions.server.ts'
import { projectColumns, requireVisibleProject, type ProjectRow } from './projects.policy.server.ts'
import { singleQuestionDefinition, toPollView } from '#app/features/surveys/poll/poll.server.ts'
import type { ProjectSurveyView, ProjectView } from './projects.schema.ts'
import { toCardView, selectCards } from './project-cards.server.ts'

/**
 * A project with everything on its page: one query per kind of content.
 * @throws {AppError} `not-found` if the viewer may not see it, `gone` if it was taken off the site
 */
export async function getProject(ctx: Ctx, input: { slug: string; preview?: string | undefined }): Promise<ProjectView> {
  if (input.preview) return ctx.db.read((tx) => loadProject(withTx(ctx, tx), tx, input))
  const shown = await readPublic(ctx, ['project', input.slug], (reader) =>
    readWithin(
      ({ id }) => ({ project: id }),
      () => reader.db.read((tx) => loadProject(reader, tx, input)),
    ),
  )
  if (ctx.viewer.kind === 'visitor') return shown
  const own = await readPersonal(ctx, ['project', shown.id], async (reader) => {
    await recordOpening(reader, shown.id)
    return reader.db.read((tx) => loadFollows(reader, tx, shown.id))
  })
  return { ...shown, ...own }
}

async function loadProject(ctx: Ctx, tx: Tx, input: { slug: string; preview?: string | undefined }): Promise<ProjectView> {
  const row = await requireProjectBySlug(ctx, tx, input.slug)
  const { preview } = await requireVisibleProject(ctx, tx, row, input.preview)
  const changes = input.preview && isProjectShown(row.status) ? await loadSharedChanges(ctx, tx, row.id, input.preview) : undefined
  return loadProjectView(ctx, tx, row, { preview: preview || changes !== undefined, token: preview ? input.preview : undefined, changes })
}

/** Changes that are not published yet, for those who were given a link to them. */
async function loadSharedChanges(ctx: Ctx, tx: Tx, projectId: string, token: string): Promise<ProjectContent | undefined> {
  const link = await openDraftLink(withTx(ctx, tx), token)
  return link?.projectId === projectId ? loadDraftContent(ctx, tx, projectId) : undefined
}

interface ProjectViewOptions {
  preview: boolean
  /** Token that opens the documents of an unpublished project. */
  token?: string | undefined
  /** Content to show instead of what is stored. */
  changes?: ProjectContent | undefined
}

/** Everything on a project's page, for a viewer who may see it. */
export async function loadProjectView(
  ctx: Ctx,
  tx: Tx,
  stored: ProjectRow,
  { preview, token, changes }: ProjectViewOptions,
): Promise<ProjectView> {
  const now = ctx.now()
  const [card] = await selectCards(tx, now).where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, stored.id)))
  if (!card) throw new AppError('not-found')
  const row = changes ? { ...stored, ...toContentColumns(changes) } : stored
  const picture = changes?.picture
    ? ((await loadShownPictures(withTx(ctx, tx), [changes.picture])).get(changes.picture) ?? changes.picture)
    : null
  return {
    ...toCardView(ctx, changes ? { ...card, title: row.title, summary: row.summary, picture } : card),
    ...toProjectDetails(ctx, row),
    hasDecisions: await hasDecisions(ctx, tx, row.id),
    report: await findReportKind(ctx, tx, row.id),
    ...(await loadFollows(ctx, tx, row.id)),
    dates: changes ? changes.dates.map((date, at) => toDateView(ctx, { ...date, id: String(at) })) : await loadDates(ctx, tx, row.id),
    documents: await loadDocuments(ctx, tx, row.id, token),
    updates: await loadUpdates(ctx, tx, row, now),
    surveys: await loadSurveys(ctx, tx, row, now),
    preview,
    now: now.toISOString(),
  }
}

/** @throws {AppError} `not-found` */
export async function requireProjectBySlug(ctx: Ctx, tx: Tx, slug: string): Promise<ProjectRow> {
  if (!isSlug(slug)) throw new AppError('not-found')
  const [row] = await tx
    .select(projectColumns)
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.slug, slug)))
  if (!row) throw new AppError('not-found')
  return row
}

const createLocaliser = (ctx: Ctx) => (translated: Translated | null | undefined) =>
  localiseText(translated, ctx.contentLanguage, ctx.site.locale)

interface StoredPlace {
  address?: Translated
}

interface StoredFaq {
  question: Translated
  answer: Translated
}

interface StoredMember {
  name: string
  role?: Translated
  email?: string
}

function toProjectDetails(ctx: Ctx, row: ProjectRow) {
  const localise = createLocaliser(ctx)
  return {
    status: row.status,
    visibility: row.visibility,
    pictureAlt: localise(row.pictureAlt),
    body: parseLocalised(localise(row.body)),
    outcome: parseLocalised(localise(row.outcome)),
    place: localise((row.place as StoredPlace | null)?.address),
    team: (row.team as StoredMember[]).map((member) => ({ name: member.name, role: localise(member.role), email: member.email ?? null })),
    faqs: (row.faqs as StoredFaq[])
      .map(({ question, answer }) => ({ question: localise(question), answer: parseLocalised(localise(answer)) }))
      .filter(({ question, answer }) => question.text && answer.blocks.length),
    publishedAt: row.publishedAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

async function hasDecisions({ site }: Ctx, tx: Tx, projectId: string): Promise<boolean> {
  const found = await tx
    .select({ id: decisionPublications.id })
    .from(decisionPublications)
    .where(and(eq(decisionPublications.siteId, site.id), eq(decisionPublications.projectId, projectId)))
    .limit(1)
  return found.length > 0
}

/** What the published report of a project is about; null if there is none. */
async function findReportKind({ site }: Ctx, tx: Tx, projectId: string): Promise<HeardReportKind | null> {
  const [report] = await tx
    .select({ kind: heardReports.kind })
    .from(heardReports)
    .where(and(eq(heardReports.siteId, site.id), eq(heardReports.projectId, projectId), eq(heardReports.status, 'published')))
  return report?.kind ?? null
}

async function loadFollows({ viewer, site }: Ctx, tx: Tx, projectId: string): Promise<{ followers: number; following: boolean }> {
  const viewerId = viewer.kind === 'user' ? viewer.id : null
  const byAddress = sql`(select count(*) from ${emailFollows} where ${emailFollows.siteId} = ${site.id} and ${emailFollows.projectId} = ${projectId})`
  const [found] = await tx
    .select({
      followers: sql<number>`(count(*) + ${byAddress})::int`,
      following: sql<boolean>`coalesce(bool_or(${projectFollows.userId} = ${viewerId}), false)`,
    })
    .from(projectFollows)
    .where(and(eq(projectFollows.siteId, site.id), eq(projectFollows.projectId, projectId)))
  return found ?? { followers: 0, following: false }
}

async function loadDates(ctx: Ctx, tx: Tx, projectId: string): Promise<ProjectView['dates']> {
  const rows = await tx
    .select()
    .from(projectDates)
    .where(and(eq(projectDates.siteId, ctx.site.id), eq(projectDates.projectId, projectId)))
    .orderBy(asc(projectDates.happensAt), asc(projectDates.position))
    .limit(100)
  return rows.map((row) => toDateView(ctx, { ...row, happensAt: row.happensAt.toISOString() }))
}

function toDateView(
  ctx: Ctx,
  { id, title, detail, happensAt, precision }: ProjectContent['dates'][number] & { id: string },
): ProjectView['dates'][number] {
  const localise = createLocaliser(ctx)
  return { id, title: localise(title), detail: localise(detail), happensAt, precision }
}

async function loadDocuments(ctx: Ctx, tx: Tx, projectId: string, preview: string | undefined): Promise<ProjectView['documents']> {
  const rows = await tx
    .select()
    .from(projectDocuments)
    .where(and(eq(projectDocuments.siteId, ctx.site.id), eq(projectDocuments.projectId, projectId)))
    .orderBy(asc(projectDocuments.position), asc(projectDocuments.id))
    .limit(200)
  const localise = createLocaliser(ctx)
  return rows.map((row) => ({
    id: row.id,
    title: localise(row.title),
    href: row.content && preview ? `${row.file}?preview=${encodeURIComponent(preview)}` : row.file,
    mediaType: row.mediaType,
    bytes: row.bytes,
    pages: row.pages,
    language: row.language,
  }))
}

const TEASER_LETTERS = 220
const MAX_TEASERS = 20

async function loadUpdates(ctx: Ctx, tx: Tx, project: ProjectRow, now: Date): Promise<ProjectView['updates']> {
  const rows = await tx
    .select()
    .from(projectUpdates)
    .where(
      and(
        eq(projectUpdates.siteId, ctx.site.id),
        eq(projectUpdates.projectId, project.id),
        isNotNull(projectUpdates.publishedAt),
        lte(projectUpdates.publishedAt, now),
      ),
    )
    .orderBy(desc(projectUpdates.publishedAt))
    .limit(MAX_TEASERS)
  const localise = createLocaliser(ctx)
  return rows.map((row) => ({
    slug: row.slug,
    title: localise(row.title),
    excerpt: toExcerpt(localise(row.body).text, TEASER_LETTERS),
    publishedAt: (row.publishedAt ?? now).toISOString(),
    project: { slug: project.slug, title: localise(project.title) },
  }))
}

async function loadSurveys(ctx: Ctx, tx: Tx, project: ProjectRow, now: Date): Promise<ProjectSurveyView[]> {
  const rows = await tx
    .select({
      slug: surveys.slug,
      title: surveys.title,
      intro: surveys.intro,
      status: surveys.status,
      opensAt: surveys.opensAt,
      closesAt: surveys.closesAt,
      minutes: surveys.minutes,
      people: surveys.responsesCount,
      access: surveys.access,
      resultsPublic: surveys.resultsPublic,
      position: surveys.position,
      definition: singleQuestionDefinition,
    })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.projectId, project.id), sql`${surveys.status} <> 'draft'`))
    .orderBy(desc(isOpenSql(now)), asc(surveys.position), asc(surveys.id))
    .limit(50)
  const localise = createLocaliser(ctx)
  // A preview shows surveys as they will be once the project is published.
  const shown = project.status === 'archived' ? project : { ...project, status: 'published' }
  const views = rows.map((row) => {
    const placed = { survey: row, project: shown }
    const { opensAt, closesAt } = getAnsweringTimes(placed)
    return { row, opensAt, closesAt, open: getSurveyState(now, placed) === 'open' }
  })
  return views.map(({ row, opensAt, closesAt, open }) => ({
    slug: row.slug,
    title: localise(row.title),
    intro: localiseExcerpt(localise(row.intro), CARD_LETTERS),
    open,
    opensAt: opensAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    minutes: row.minutes,
    people: row.people,
    needsAccount: !['anyone', 'anyone_once', 'invited', 'verified'].includes(row.access),
    resultsPublic: row.resultsPublic,
    position: row.position,
    poll: toPollView(ctx, { survey: row, project, definition: row.definition, open }),
  }))
}
