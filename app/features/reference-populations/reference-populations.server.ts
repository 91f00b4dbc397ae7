import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { listAreas } from '#app/features/areas/areas.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { PERMISSIONS } from '#app/features/permissions/permissions.schema.ts'
import { NO_ANSWER } from '#app/features/profile-answers/profile-answers.schema.ts'
import type { ProfileQuestionRow } from '#app/features/profile-answers/profile-answers.server.ts'
import { AGE_GROUPS } from '#app/lib/age-groups.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { sayEverywhere, type Translated } from '#app/lib/translated.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectAreas } from '#app/server/db/schema/areas.ts'
import { profileQuestions } from '#app/server/db/schema/profile.ts'
import { referencePopulations } from '#app/server/db/schema/reference-populations.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { referencePopulationShape } from './reference-populations.api.schema.ts'
import { isComparable, type PopulationCell } from './reference-populations.schema.ts'
import type { Population } from './compare-with-population.ts'

/** A question whose answers can be compared, with the census table it has, if any. */
export interface ReferencePopulation {
  /** The question's. */
  id: string
  question: Pick<ProfileQuestionRow, 'key' | 'type' | 'label'>
  options: { id: string; label: Translated }[]
  areas: { slug: string; name: string }[]
  source: string
  year: number | null
  licence: string
  cells: readonly PopulationCell[]
  /** 1 while it has no table. */
  lockVersion: number
}

const FIRST_VERSION = 1

export const mayEditPopulations = ({ viewer }: Ctx): boolean => checkPermission(viewer, 'profile-questions.edit').ok

/** Census tables can be read by everyone whose role may see responses. */
const seesPopulations = ({ viewer }: Ctx): boolean =>
  viewer.kind === 'user' && viewer.roles.some(({ role }) => PERMISSIONS['responses.see'][role] !== 'no')

/** Questions that are asked or were, with one answer each, and their census tables. */
export async function readPopulations(ctx: Ctx, tx: Tx, keys?: readonly string[]): Promise<ReferencePopulation[]> {
  const rows = await tx
    .select({ question: profileQuestions, population: referencePopulations })
    .from(profileQuestions)
    .leftJoin(
      referencePopulations,
      and(eq(referencePopulations.siteId, profileQuestions.siteId), eq(referencePopulations.questionId, profileQuestions.id)),
    )
    .where(
      and(eq(profileQuestions.siteId, ctx.site.id), ne(profileQuestions.status, 'draft'), keys && inArray(profileQuestions.key, [...keys])),
    )
    .orderBy(asc(profileQuestions.position), asc(profileQuestions.id))
  const comparable = rows.filter(({ question }) => isComparable(question.type))
  if (comparable.length === 0) return []
  const areas = (await listAreas(ctx, tx)).map(({ slug, name }) => ({ slug, name }))
  return comparable.map(({ question, population }) => ({
    id: question.id,
    question: { key: question.key, type: question.type, label: question.label },
    options: listOptions(question, areas),
    areas: question.type === 'area' ? [] : areas,
    source: population?.source ?? '',
    year: population?.year ?? null,
    licence: population?.licence ?? '',
    cells: population?.cells ?? [],
    lockVersion: population?.lockVersion ?? FIRST_VERSION,
  }))
}

/** The options that a category of the census can be mapped to; "no answer" is none, as a census has no such category. */
function listOptions({ type, options }: ProfileQuestionRow, areas: ReferencePopulation['areas']): ReferencePopulation['options'] {
  if (type === 'area') return areas.map(({ slug, name }) => ({ id: slug, label: sayEverywhere(name) }))
  if (type === 'year-of-birth')
    return AGE_GROUPS.map((id) => ({
      id,
      label: Object.fromEntries(LANGUAGES.map((language) => [language, getTranslator(language, 'admin')(`age-groups.${id}`)])),
    }))
  return options.filter(({ id, retired }) => id !== NO_ANSWER && !retired).map(({ id, label }) => ({ id, label }))
}

export const loadPopulations = (ctx: Ctx, ids: readonly string[]): Promise<ReferencePopulation[]> =>
  seesPopulations(ctx)
    ? ctx.db.read(async (tx) => (await readPopulations(ctx, tx)).filter(({ id }) => ids.includes(id)))
    : Promise.resolve([])

export async function listPopulations(
  ctx: Ctx,
  { page }: ListQuery<typeof referencePopulationShape>,
): Promise<ListResult<ReferencePopulation>> {
  const all = seesPopulations(ctx) ? await ctx.db.read((tx) => readPopulations(ctx, tx)) : []
  return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
}

/**
 * Replaces the census table of a question, or only its source, year and licence.
 * @throws {AppError} `forbidden`, `stale`; `invalid` with every row that is negative, there twice or mapped to nothing, and then nothing is stored
 */
export async function updatePopulation(
  ctx: Ctx,
  before: ReferencePopulation,
  input: UpdateInput<typeof referencePopulationShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'profile-questions.edit')
  const { source = before.source, year = before.year, licence = before.licence, cells = before.cells } = input
  const faults = cells.length === 0 ? [] : [...findMissing({ source, year, licence }), ...findCellFaults(before, cells)]
  if (faults.length > 0) throw new AppError('invalid', { faults })
  await ctx.db.tx(async (tx) => {
    const [question] = await tx
      .select({ id: profileQuestions.id })
      .from(profileQuestions)
      .where(and(eq(profileQuestions.siteId, ctx.site.id), eq(profileQuestions.id, before.id)))
      .for('update')
    if (!question) throw new AppError('not-found')
    const own = and(eq(referencePopulations.siteId, ctx.site.id), eq(referencePopulations.questionId, before.id))
    const [stored] = await tx.select({ lockVersion: referencePopulations.lockVersion }).from(referencePopulations).where(own)
    if ((stored?.lockVersion ?? FIRST_VERSION) !== lockVersion) throw new AppError('stale')
    const values = { source, year: year ?? 0, licence, cells, lockVersion: lockVersion + 1, updatedAt: ctx.now() }
    if (cells.length === 0) await tx.delete(referencePopulations).where(own)
    else if (stored) await tx.update(referencePopulations).set(values).where(own)
    else await tx.insert(referencePopulations).values({ siteId: ctx.site.id, questionId: before.id, ...values })
    await recordAudit(ctx, tx, {
      action: 'reference-populations.update',
      subject: { type: 'reference-populations', id: before.id },
      detail: { key: before.question.key, source, year: year ?? 0, rows: cells.length },
    })
  })
}

function findMissing({ source, year, licence }: { source: string; year: number | null; licence: string }): Fault[] {
  const missing = [...(source ? [] : ['/source']), ...(year === null ? ['/year'] : []), ...(licence ? [] : ['/licence'])]
  return missing.map((pointer) => ({ code: 'required', pointer }))
}

/** Each row that is there twice, or is about an option or area that does not exist. */
export function findCellFaults(
  { options, areas }: Pick<ReferencePopulation, 'options' | 'areas'>,
  cells: readonly PopulationCell[],
): Fault[] {
  const known = new Set(options.map(({ id }) => id))
  const places = new Set(areas.map(({ slug }) => slug))
  const seen = new Set<string>()
  return cells.flatMap(({ category, option, area }, at): Fault[] => {
    const name = JSON.stringify([category.trim().toLowerCase(), area])
    const isTwice = seen.has(name)
    seen.add(name)
    return [
      ...(isTwice ? [{ code: 'row-twice' as const, pointer: `/cells/${at}/category` }] : []),
      ...(known.has(option) ? [] : [{ code: 'not-a-choice' as const, pointer: `/cells/${at}/option` }]),
      ...(area === null || places.has(area) ? [] : [{ code: 'not-a-choice' as const, pointer: `/cells/${at}/area` }]),
    ]
  })
}

/**
 * The people of each option where some projects take place: in their areas if all projects have some and the table has each of them, otherwise in
 * the whole place.
 */
export async function findPopulation(
  ctx: Ctx,
  tx: Tx,
  { cells, areas, source, year, licence }: ReferencePopulation,
  projectIds: readonly string[],
): Promise<Population | undefined> {
  if (cells.length === 0) return undefined
  const chosen = await findOwnAreas(ctx, tx, projectIds)
  const covered = new Set(cells.map(({ area }) => area))
  const inAreas = chosen.length > 0 && chosen.every((slug) => covered.has(slug))
  const everywhere = covered.has(null) ? cells.filter(({ area }) => area === null) : cells
  const counted = inAreas ? cells.filter(({ area }) => area !== null && chosen.includes(area)) : everywhere
  const people = new Map<string, number>()
  for (const cell of counted) people.set(cell.option, (people.get(cell.option) ?? 0) + cell.people)
  return {
    people,
    areas: inAreas ? areas.filter(({ slug }) => chosen.includes(slug)).map(({ name }) => name) : [],
    source,
    year: year ?? 0,
    licence,
  }
}

/** Slugs of the areas of some projects; none if one of them is about the whole place. */
async function findOwnAreas(ctx: Ctx, tx: Tx, projectIds: readonly string[]): Promise<string[]> {
  if (projectIds.length === 0) return []
  const links = await tx
    .select({ project: projectAreas.projectId, area: projectAreas.areaId })
    .from(projectAreas)
    .where(and(eq(projectAreas.siteId, ctx.site.id), inArray(projectAreas.projectId, [...projectIds])))
  if (new Set(links.map(({ project }) => project)).size < projectIds.length) return []
  const ids = new Set(links.map(({ area }) => area))
  return (await listAreas(ctx, tx)).filter(({ id }) => ids.has(id)).map(({ slug }) => slug)
}
