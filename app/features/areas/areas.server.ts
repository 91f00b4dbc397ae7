import { and, asc, count, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { authorize } from '#app/features/permissions/permissions.policy.server.ts'
import { listedWhere, placeOf, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { slugOf } from '#app/lib/slug.ts'
import { newId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { contentChanged, type Tx } from '#app/server/db/client.ts'
import { areas, homeAreas, projectAreas, projects, responses } from '#app/server/db/schema.ts'
import { type AreaFacet, type AreaView, MOST_AREAS } from './areas.schema.ts'
import { type CountedArea, withoutSmall } from './area-counts.ts'
import { plainPostcode } from './postcodes.schema.ts'
import { isInside, type Rings } from './shapes.schema.ts'

export type { CountedArea }

/** What the areas of the site hold, all together. */
export interface AreaUse {
  areas: number
  /** Projects that lie in any of them. */
  projects: number
  /** People who say which they live in. */
  people: number
}

/** An area as its source draws it. */
export interface AreaShape {
  rings: Rings
  postcodes: string[]
}

export async function countAreaUse(ctx: Ctx, tx: Tx): Promise<AreaUse> {
  const { rows } = await tx.execute<AreaUse & Record<string, unknown>>(sql`select
    (select count(*)::int from ${areas} where site_id = ${ctx.site.id}) as areas,
    (select count(distinct project_id)::int from ${projectAreas} where site_id = ${ctx.site.id}) as projects,
    (select count(*)::int from ${homeAreas} where site_id = ${ctx.site.id}) as people`)
  return rows[0] ?? { areas: 0, projects: 0, people: 0 }
}

/** The areas of the site by name. */
export async function listAreas(ctx: Ctx, tx: Tx): Promise<AreaView[]> {
  const rows = await tx
    .select({ id: areas.id, slug: areas.slug, name: areas.name })
    .from(areas)
    .where(eq(areas.siteId, ctx.site.id))
    .limit(MOST_AREAS)
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, ctx.language, { numeric: true }))
}

/**
 * Puts the shapes of a dataset in the place of the site's areas. One that keeps its name stays what it was, with its projects and people;
 * one that is gone goes with them.
 */
export async function replaceAreas(ctx: Ctx, tx: Tx, datasetId: string, shapes: ReadonlyMap<string, AreaShape>): Promise<void> {
  const slugs: string[] = []
  for (const [name, { rings, postcodes }] of [...shapes].slice(0, MOST_AREAS)) {
    const plain = slugOf(name) || 'area'
    let slug = plain
    for (let more = 2; slugs.includes(slug); more++) slug = `${plain}-${more}`
    slugs.push(slug)
    await tx
      .insert(areas)
      .values({ siteId: ctx.site.id, id: newId(), datasetId, slug, name, rings, postcodes })
      .onConflictDoUpdate({ target: [areas.siteId, areas.slug], set: { name, rings, postcodes, datasetId } })
  }
  await tx.delete(areas).where(and(eq(areas.siteId, ctx.site.id), slugs.length ? notInArray(areas.slug, slugs) : undefined))
}

/** Whether any area names its postcodes. */
export async function hasPostcodes(ctx: Ctx, tx: Tx): Promise<boolean> {
  const [one] = await tx
    .select({ id: areas.id })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), sql`cardinality(${areas.postcodes}) > 0`))
    .limit(1)
  return one !== undefined
}

/** The area that has a postcode, by the longest of its beginnings that any area names. */
export async function areaOfPostcode(ctx: Ctx, tx: Tx, postcode: string): Promise<string | undefined> {
  const whole = plainPostcode(postcode)
  const rows = await tx.select({ id: areas.id, postcodes: areas.postcodes }).from(areas).where(eq(areas.siteId, ctx.site.id))
  const found = rows
    .flatMap(({ id, postcodes }) => postcodes.filter((one) => one && whole.startsWith(one)).map((one) => ({ id, length: one.length })))
    .toSorted((a, b) => b.length - a.length)
  const [best, next] = found
  // One that two areas share says nothing.
  return best && !(next?.length === best.length && next.id !== best.id) ? best.id : undefined
}

/** Takes the site's areas away, where its boundaries are no longer those of this dataset. */
export async function removeAreas(ctx: Ctx, tx: Tx, datasetId: string): Promise<void> {
  await tx.delete(areas).where(and(eq(areas.siteId, ctx.site.id), eq(areas.datasetId, datasetId)))
}

/** Areas that hold projects the viewer is shown, with how many. */
export async function areaFacets(ctx: Ctx, tx: Tx): Promise<AreaFacet[]> {
  const rows = await tx
    .select({ id: areas.id, slug: areas.slug, name: areas.name, count: count() })
    .from(areas)
    .innerJoin(projectAreas, and(eq(projectAreas.siteId, areas.siteId), eq(projectAreas.areaId, areas.id)))
    .innerJoin(projects, and(eq(projects.siteId, areas.siteId), eq(projects.id, projectAreas.projectId)))
    .where(and(eq(areas.siteId, ctx.site.id), listedWhere(ctx)))
    .groupBy(areas.id, areas.slug, areas.name)
    .orderBy(asc(areas.name))
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, ctx.language, { numeric: true }))
}

/** A condition for projects in an area. */
export const isInArea = (ctx: Ctx, slug: string) =>
  sql`${projects.id} in (select placed.project_id from ${areas} join ${projectAreas} as placed
    on placed.site_id = ${areas.siteId} and placed.area_id = ${areas.id} where ${areas.siteId} = ${ctx.site.id} and ${areas.slug} = ${slug})`

/** Where a project lies: as was chosen, and as its place on the map would have it. */
export interface PlacedProject {
  id: string
  areas: string[]
  suggested: string[]
}

/** Projects that the viewer may edit, of those asked for. */
export function placedProjects(ctx: Ctx, ids: readonly string[]): Promise<PlacedProject[]> {
  return ctx.db.tx(async (tx) => {
    const rows = await tx
      .select()
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.id, [...ids])))
    const placed: PlacedProject[] = []
    for (const row of rows.filter((project) => mayPlace(ctx, project))) {
      const chosen = await tx
        .select({ id: projectAreas.areaId })
        .from(projectAreas)
        .where(and(eq(projectAreas.siteId, ctx.site.id), eq(projectAreas.projectId, row.id)))
      placed.push({ id: row.id, areas: chosen.map(({ id }) => id), suggested: await areasAt(ctx, tx, row) })
    }
    return placed
  })
}

function mayPlace(ctx: Ctx, project: ProjectRow): boolean {
  try {
    authorize(ctx.viewer, 'projects.edit', placeOf(project))
    return true
  } catch {
    return false
  }
}

/** Areas that the project's place on the map lies in. */
async function areasAt(ctx: Ctx, tx: Tx, { place }: ProjectRow): Promise<string[]> {
  const { lat, lng } = (place ?? {}) as { lat?: number; lng?: number }
  if (typeof lat !== 'number' || typeof lng !== 'number') return []
  const rows = await tx.select({ id: areas.id, rings: areas.rings }).from(areas).where(eq(areas.siteId, ctx.site.id))
  return rows.filter(({ rings }) => isInside([lng, lat], rings as Rings)).map(({ id }) => id)
}

/** Says which areas a project lies in. @throws {AppError} `invalid` for an area of no such site */
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
    await contentChanged(tx, siteId)
  })
}

/** How many of those who answered a survey live in each area, of those who say so; small numbers hidden. */
export async function countByArea(ctx: Ctx, tx: Tx, surveyId: string): Promise<CountedArea[]> {
  const rows = await tx
    .select({ area: areas.slug, name: areas.name, responses: count() })
    .from(responses)
    .innerJoin(homeAreas, and(eq(homeAreas.siteId, responses.siteId), eq(homeAreas.userId, responses.userId)))
    .innerJoin(areas, and(eq(areas.siteId, homeAreas.siteId), eq(areas.id, homeAreas.areaId)))
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isNull(responses.withdrawnAt)))
    .groupBy(areas.slug, areas.name)
    .orderBy(asc(areas.name))
  return withoutSmall(rows)
}
