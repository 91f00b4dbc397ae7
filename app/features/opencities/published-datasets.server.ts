import { and, asc, eq, gt, inArray, isNotNull, isNull, or, type SQL } from 'drizzle-orm'
import { requireVisibleProject, listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { DatasetRow } from './datasets.server.ts'
import type { DatasetTeaser } from './dataset-views.schema.ts'

type ProjectRow = typeof projects.$inferSelect
export interface PublishedDataset {
  row: DatasetRow
  project: ProjectRow | null
}

const MAX_LISTED = 200

/** Datasets people may see: published and with a copy. */
const isPublished = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(eq(cityDatasets.siteId, ctx.site.id), isNotNull(cityDatasets.publishedAt), gt(cityDatasets.version, 0), more)

const selectWithProjects = (tx: Tx) =>
  tx
    .select({ row: cityDatasets, project: projects })
    .from(cityDatasets)
    .leftJoin(projects, and(eq(projects.siteId, cityDatasets.siteId), eq(projects.id, cityDatasets.projectId)))

/** Belongs to the site itself, or to a project listed for the viewer. */
const isListed = (ctx: Ctx) => or(isNull(cityDatasets.projectId), listedWhere(ctx))

/** The site's published datasets that may be listed for the viewer, or those of one project if the viewer may see it. */
export async function listPublishedDatasets(ctx: Ctx, input: { project: string | null }): Promise<DatasetTeaser[]> {
  return readPublic(ctx, ['datasets', input.project], (reader) =>
    reader.db.read(async (tx) => (await loadPublishedDatasetRows(reader, tx, input.project)).map((one) => toDatasetTeaser(reader, one))),
  )
}

export async function loadPublishedDatasetRows(ctx: Ctx, tx: Tx, slug: string | null): Promise<PublishedDataset[]> {
  const scopes: ContentScopes = {}
  return readWithin(
    () => scopes,
    async () => {
      const project = slug === null ? undefined : await findVisibleProject(ctx, tx, { slug })
      if (slug !== null && !project) return []
      if (project) scopes.project = project.id
      const found = await selectWithProjects(tx)
        .where(isPublished(ctx, project ? eq(cityDatasets.projectId, project.id) : isListed(ctx)))
        .orderBy(asc(cityDatasets.createdAt), asc(cityDatasets.id))
        .limit(MAX_LISTED)
      return found as PublishedDataset[]
    },
  )
}

/** Surveys with public results in public projects. */
export const hasOpenResults = (ctx: Ctx): SQL | undefined => and(listedWhere({ ...ctx, viewer: VISITOR }), hasPublicResults(ctx))

const hasPublicResults = ({ site }: Ctx): SQL | undefined =>
  and(eq(surveys.siteId, site.id), eq(surveys.resultsPublic, true), inArray(surveys.status, ['published', 'archived']))

const isAnyListed = async (ctx: Ctx, tx: Tx): Promise<boolean> =>
  (
    await selectWithProjects(tx)
      .where(isPublished(ctx, isListed(ctx)))
      .limit(1)
  ).length > 0

/** True if `/data` has anything for the viewer: a dataset, or results to download. */
export async function hasOpenData(ctx: Ctx, tx: Tx): Promise<boolean> {
  // Every page asks this, and need not end with a change of any project: most sites have no data, or some of their own.
  const ofProject = isNotNull(cityDatasets.projectId)
  const [dataset] = await tx
    .select({ ofProject: ofProject.mapWith(Boolean) })
    .from(cityDatasets)
    .where(isPublished(ctx))
    .orderBy(ofProject)
    .limit(1)
  if (dataset && (!dataset.ofProject || (await isAnyListed(ctx, tx)))) return true
  const [open] = await tx.select({ id: surveys.id }).from(surveys).where(hasPublicResults(ctx)).limit(1)
  if (!open) return false
  const [results] = await tx
    .select({ id: surveys.id })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(hasOpenResults(ctx))
    .limit(1)
  return results !== undefined
}

/** A dataset by id, if it is listed for the viewer. */
export async function findListedDataset(ctx: Ctx, tx: Tx, id: string): Promise<PublishedDataset | undefined> {
  const [found] = await selectWithProjects(tx).where(isPublished(ctx, and(eq(cityDatasets.id, id), isListed(ctx))))
  return found as PublishedDataset | undefined
}

/** The dataset with this slug, if the viewer may see it. @throws {AppError} `not-found` */
export async function requirePublishedDataset(ctx: Ctx, tx: Tx, slug: string): Promise<PublishedDataset> {
  if (!isSlug(slug)) throw new AppError('not-found')
  const [found] = await tx
    .select()
    .from(cityDatasets)
    .where(isPublished(ctx, eq(cityDatasets.slug, slug)))
  if (!found) throw new AppError('not-found')
  const row = found as DatasetRow
  const project = row.projectId ? await findVisibleProject(ctx, tx, { id: row.projectId }) : null
  if (project === undefined) throw new AppError('not-found')
  return { row, project }
}

export async function findVisibleProject(ctx: Ctx, tx: Tx, which: { slug: string } | { id: string }): Promise<ProjectRow | undefined> {
  const [row] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), 'id' in which ? eq(projects.id, which.id) : eq(projects.slug, which.slug)))
  if (!row) return undefined
  try {
    await requireVisibleProject(ctx, tx, row)
    return row
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

/** What is shown of a dataset wherever it is named: its source, licence and age. */
export function toDatasetTeaser(ctx: Ctx, { row, project }: PublishedDataset): DatasetTeaser {
  return {
    id: row.id,
    slug: row.slug,
    title: localiseText(row.title, ctx.contentLanguage, ctx.site.locale),
    description: localiseText(row.description, ctx.contentLanguage, ctx.site.locale),
    project: project && { slug: project.slug, title: localiseText(project.title, ctx.contentLanguage, ctx.site.locale) },
    rows: row.rowCount,
    publisher: row.publisher,
    licence: row.licence,
    licenceUrl: toHttpUrl(row.licenceUrl),
    sourceUrl: toHttpUrl(row.sourceUrl),
    synchronisedAt: (row.synchronisedAt ?? ctx.now()).toISOString(),
    failing: row.lastFault !== null,
  }
}

/** A portal's URL is only linked if it leads to a web page. */
const toHttpUrl = (address: string | null): string | null =>
  address && /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null
