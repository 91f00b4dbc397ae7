import { and, asc, count, eq, inArray, isNotNull, isNull, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { listedWhere, toPermissionTarget, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { toSlug } from '#app/lib/slug.ts'
import { createId } from '#app/lib/uuid.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas, homeAreas, projectAreas } from '#app/server/db/schema/areas.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isCounted, responses } from '#app/server/db/schema/responses.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { selectAreaName } from './area-names.server.ts'
import { type AreaFacet, type AreaView, type LostArea, MAX_AREAS } from './areas.schema.ts'
import { type CountedArea, suppressSmallCounts } from './area-counts.server.ts'
import { normalisePostcode } from './postcodes.schema.ts'
import { isPointInside, type Rings } from './polygons.schema.ts'

export type { CountedArea }

/** How many things use the site's areas. */
export interface AreaUse {
  areas: number
  /** Projects in any of them. */
  projects: number
  /** People who said which one they live in. */
  people: number
  /** Newsletters and text message campaigns that target one. */
  campaigns: number
}

/** Boundary and postcodes of an area, from its source. */
export interface AreaShape {
  rings: Rings
  postcodes: string[]
}

export async function countAreaUse(ctx: Ctx, tx: Tx): Promise<AreaUse> {
  const { rows } = await tx.execute<AreaUse & Record<string, unknown>>(sql`select
    (select count(*)::int from ${areas} where site_id = ${ctx.site.id}) as areas,
    (select count(distinct project_id)::int from ${projectAreas} where site_id = ${ctx.site.id}) as projects,
    (select count(*)::int from ${homeAreas} where site_id = ${ctx.site.id}) as people,
    (select count(*)::int from ${campaigns} where ${buildAreaCampaignCondition(ctx)}) as campaigns`)
  return rows[0] ?? { areas: 0, projects: 0, people: 0, campaigns: 0 }
}

/** Campaigns not sent yet that target an existing area. */
const buildAreaCampaignCondition = ({ site }: Ctx) =>
  and(
    eq(campaigns.siteId, site.id),
    inArray(campaigns.status, ['draft', 'scheduled']),
    sql`${campaigns.audience} ->> 'area' in (select one.id::text from ${areas} one where one.site_id = ${site.id})`,
  )

/** The site's current areas by name. Areas missing from their source are included only if listed in `also`. */
export async function listAreas(ctx: Ctx, tx: Tx, also: readonly string[] = []): Promise<AreaView[]> {
  const rows = await tx
    .select({ id: areas.id, slug: areas.slug, name: selectAreaName(ctx) })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), also.length ? or(isNull(areas.goneAt), inArray(areas.id, [...also])) : isNull(areas.goneAt)))
    .limit(MAX_AREAS)
  return sortByName(ctx, rows)
}

export const sortByName = <Area extends Pick<AreaView, 'name'>>({ language }: Ctx, rows: readonly Area[]): Area[] =>
  rows.toSorted((a, b) => a.name.localeCompare(b.name, language, { numeric: true }))

/** Areas missing from their source, with what still uses them; empty unless the viewer may edit the site. */
export async function loadLostAreas(ctx: Ctx, ids?: readonly string[]): Promise<LostArea[]> {
  if (!checkPermission(ctx.viewer, 'site.edit').ok) return []
  return ctx.db.read((tx) => loadAreaUses(ctx, tx, and(isNotNull(areas.goneAt), ids && inArray(areas.id, [...ids]))))
}

/** Some of the site's areas by name, each with what uses it. */
export async function loadAreaUses(ctx: Ctx, tx: Tx, which: SQL | undefined): Promise<LostArea[]> {
  const rows = await tx
    .select({ id: areas.id, slug: areas.slug, name: areas.name })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), which))
  const placed = await tx
    .select({ area: projectAreas.areaId, title: projects.title })
    .from(projectAreas)
    .innerJoin(projects, and(eq(projects.siteId, projectAreas.siteId), eq(projects.id, projectAreas.projectId)))
    .innerJoin(areas, and(eq(areas.siteId, projectAreas.siteId), eq(areas.id, projectAreas.areaId)))
    .where(and(eq(projectAreas.siteId, ctx.site.id), which))
    .orderBy(asc(projects.createdAt), asc(projects.id))
  const living = await tx
    .select({ area: homeAreas.areaId, people: count() })
    .from(homeAreas)
    .innerJoin(areas, and(eq(areas.siteId, homeAreas.siteId), eq(areas.id, homeAreas.areaId)))
    .where(and(eq(homeAreas.siteId, ctx.site.id), which))
    .groupBy(homeAreas.areaId)
  const written = await tx
    .select({ area: sql<string>`${campaigns.audience} ->> 'area'`, name: campaigns.name })
    .from(campaigns)
    .where(buildAreaCampaignCondition(ctx))
    .orderBy(asc(campaigns.createdAt), asc(campaigns.id))
  return sortByName(ctx, rows).map((row) => ({
    ...row,
    projects: placed
      .filter(({ area }) => area === row.id)
      .map(({ title }) => localiseText(title, ctx.contentLanguage, ctx.site.locale).text),
    people: living.find(({ area }) => area === row.id)?.people ?? 0,
    campaigns: written.filter(({ area }) => area === row.id).map(({ name }) => name),
  }))
}

export const isUsed = ({ projects, people, campaigns: targeting }: LostArea): boolean => projects.length + people + targeting.length > 0

/** Deletes an area missing from its source, with everything assigned to it. @throws {AppError} `forbidden` */
export async function removeLostArea(ctx: Ctx, { id, name }: LostArea): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(areas).where(and(eq(areas.siteId, ctx.site.id), eq(areas.id, id), isNotNull(areas.goneAt)))
    await recordAudit(ctx, tx, { action: 'areas.delete', subject: { type: 'areas', id }, detail: { name } })
  })
}

/**
 * Replaces the site's areas by the shapes of a dataset. An area with the same name keeps its projects and residents; one that is gone is
 * deleted, unless something still uses it: then it is marked and kept until someone removes it.
 */
export async function replaceAreas(ctx: Ctx, tx: Tx, datasetId: string, shapes: ReadonlyMap<string, AreaShape>): Promise<void> {
  await lockAreas(ctx, tx)
  const slugs: string[] = []
  for (const [name, { rings, postcodes }] of [...shapes].slice(0, MAX_AREAS)) {
    const plain = toSlug(name) || 'area'
    let slug = plain
    for (let more = 2; slugs.includes(slug); more++) slug = `${plain}-${more}`
    slugs.push(slug)
    await tx
      .insert(areas)
      .values({ siteId: ctx.site.id, id: createId(), datasetId, slug, name, rings, postcodes })
      .onConflictDoUpdate({
        target: [areas.siteId, areas.slug],
        set: { name, rings, postcodes, datasetId, goneAt: null, lockVersion: sql`${areas.lockVersion} + 1` },
      })
  }
  const others = and(eq(areas.siteId, ctx.site.id), slugs.length ? notInArray(areas.slug, slugs) : undefined)
  const holdsNothing = sql`not exists (select from ${projectAreas} held where held.site_id = ${areas.siteId} and held.area_id = ${areas.id})
    and not exists (select from ${homeAreas} held where held.site_id = ${areas.siteId} and held.area_id = ${areas.id})
    and not exists (select from ${campaigns} where ${buildAreaCampaignCondition(ctx)} and ${campaigns.audience} ->> 'area' = ${areas.id}::text)`
  await tx.delete(areas).where(and(others, holdsNothing))
  // They belong to this dataset from now on, so that they are removed with it.
  await tx
    .update(areas)
    .set({ datasetId, goneAt: sql`coalesce(${areas.goneAt}, ${ctx.now().toISOString()}::timestamptz)` })
    .where(others)
}

/** Locks the site's set of areas until the transaction ends. */
export const lockAreas = ({ site }: Ctx, tx: Tx) => lockForTransaction(tx, site.id, 'areas')

/** True if any area lists postcodes. */
export async function hasPostcodes(ctx: Ctx, tx: Tx): Promise<boolean> {
  const [one] = await tx
    .select({ id: areas.id })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt), sql`cardinality(${areas.postcodes}) > 0`))
    .limit(1)
  return one !== undefined
}

/** Finds the area by postcode: the longest matching prefix wins. */
export async function findAreaByPostcode(ctx: Ctx, tx: Tx, postcode: string): Promise<string | undefined> {
  const whole = normalisePostcode(postcode)
  const rows = await tx
    .select({ id: areas.id, postcodes: areas.postcodes })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
  const found = rows
    .flatMap(({ id, postcodes }) => postcodes.filter((one) => one && whole.startsWith(one)).map((one) => ({ id, length: one.length })))
    .toSorted((a, b) => b.length - a.length)
  const [best, next] = found
  // A prefix shared by two areas is ambiguous.
  return best && !(next?.length === best.length && next.id !== best.id) ? best.id : undefined
}

/** Deletes the site's areas when the dataset is no longer its boundaries. */
export async function removeAreas(ctx: Ctx, tx: Tx, datasetId: string): Promise<void> {
  await tx.delete(areas).where(and(eq(areas.siteId, ctx.site.id), eq(areas.datasetId, datasetId)))
}

/** Areas with projects the viewer can see, and how many. */
export async function loadAreaFacets(ctx: Ctx, tx: Tx): Promise<AreaFacet[]> {
  const rows = await tx
    .select({ id: areas.id, slug: areas.slug, name: selectAreaName(ctx), count: count() })
    .from(areas)
    .innerJoin(projectAreas, and(eq(projectAreas.siteId, areas.siteId), eq(projectAreas.areaId, areas.id)))
    .innerJoin(projects, and(eq(projects.siteId, areas.siteId), eq(projects.id, projectAreas.projectId)))
    .where(and(eq(areas.siteId, ctx.site.id), listedWhere(ctx)))
    .groupBy(areas.siteId, areas.id)
  return sortByName(ctx, rows)
}

/** SQL condition: the project lies in the area. */
export const buildInAreaCondition = (ctx: Ctx, slug: string) =>
  sql`${projects.id} in (select placed.project_id from ${areas} join ${projectAreas} as placed
    on placed.site_id = ${areas.siteId} and placed.area_id = ${areas.id} where ${areas.siteId} = ${ctx.site.id} and ${areas.slug} = ${slug})`

/** A project's areas: chosen, and suggested by its location on the map. */
export interface PlacedProject {
  id: string
  areas: string[]
  suggested: string[]
  /** Those of `areas` that are missing from their source. */
  lost: { id: string; name: string }[]
}

/** Loads projects by id that the viewer may edit. */
export function loadPlacedProjects(ctx: Ctx, ids: readonly string[]): Promise<PlacedProject[]> {
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select()
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.id, [...ids])))
    const placed: PlacedProject[] = []
    for (const row of rows.filter((project) => canPlace(ctx, project))) {
      const chosen = await tx
        .select({ id: areas.id, name: areas.name, goneAt: areas.goneAt })
        .from(projectAreas)
        .innerJoin(areas, and(eq(areas.siteId, projectAreas.siteId), eq(areas.id, projectAreas.areaId)))
        .where(and(eq(projectAreas.siteId, ctx.site.id), eq(projectAreas.projectId, row.id)))
      placed.push({
        id: row.id,
        areas: chosen.map(({ id }) => id),
        suggested: await loadAreasAtPlace(ctx, tx, row),
        lost: chosen.flatMap(({ id, name, goneAt }) => (goneAt ? [{ id, name }] : [])),
      })
    }
    return placed
  })
}

function canPlace(ctx: Ctx, project: ProjectRow): boolean {
  try {
    requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
    return true
  } catch {
    return false
  }
}

/** Areas that contain the project's location. */
async function loadAreasAtPlace(ctx: Ctx, tx: Tx, { place }: ProjectRow): Promise<string[]> {
  const { lat, lng } = (place ?? {}) as { lat?: number; lng?: number }
  if (typeof lat !== 'number' || typeof lng !== 'number') return []
  const rows = await tx
    .select({ id: areas.id, rings: areas.rings })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
  return rows.filter(({ rings }) => isPointInside([lng, lat], rings as Rings)).map(({ id }) => id)
}

/** Sets the areas that a project lies in. @throws {AppError} `invalid` if an area is not of this site */
export async function placeProject(ctx: Ctx, project: PlacedProject, chosen: readonly string[]): Promise<void> {
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    const known = chosen.length
      ? await tx
          .select({ id: areas.id })
          .from(areas)
          .where(and(eq(areas.siteId, siteId), inArray(areas.id, [...chosen])))
      : []
    if (known.length !== new Set(chosen).size) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/areas' }] })
    await tx.delete(projectAreas).where(and(eq(projectAreas.siteId, siteId), eq(projectAreas.projectId, project.id)))
    if (known.length) await tx.insert(projectAreas).values(known.map(({ id }) => ({ siteId, projectId: project.id, areaId: id })))
    await recordAudit(ctx, tx, { action: 'projects.place', subject: { type: 'projects', id: project.id }, projectId: project.id })
  })
}

/**
 * Counts a survey's respondents per area, with small counts hidden. Only people who said where they live are counted.
 * @param before the counts last published
 */
export async function countByArea(ctx: Ctx, tx: Tx, surveyId: string, before: readonly CountedArea[] = []): Promise<CountedArea[]> {
  const rows = await tx
    .select({ area: areas.slug, name: areas.name, responses: count() })
    .from(responses)
    .innerJoin(homeAreas, and(eq(homeAreas.siteId, responses.siteId), eq(homeAreas.userId, responses.userId)))
    .innerJoin(areas, and(eq(areas.siteId, homeAreas.siteId), eq(areas.id, homeAreas.areaId)))
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isCounted))
    .groupBy(areas.slug, areas.name)
    .orderBy(asc(areas.name))
  return suppressSmallCounts(rows, before)
}
