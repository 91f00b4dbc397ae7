import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPointInside, parseRings, type Rings } from '#app/features/areas/polygons.schema.ts'
import { parsePostcodes } from '#app/features/areas/postcodes.schema.ts'
import { buildStartingStatuses } from '#app/features/contributions/managing/activities.editing.server.ts'
import { extraQuestionsSchema } from '#app/features/contributions/record/extra-question.schema.ts'
import { getKind } from '#app/features/contributions/kinds/kinds.ts'
import { buildContributionSearch } from '#app/features/contributions/record/contribution-search.ts'
import type { Position } from '#app/lib/geometry.ts'
import { createRandom, type Random } from '#app/lib/random.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { toSlug } from '#app/lib/slug.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { FieldValues } from '#app/lib/vocabulary/contributions.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { activities, contributionStatuses, mapLayers, officialResponses } from '#app/server/db/schema/contributions.ts'
import type { DemoPlaces } from './content/types.ts'
import { insertContributions, insertSupports, makeUpHash } from './insert-contributions.ts'
import { insertAll } from './insert-rows.ts'
import { seedDecisions } from './seed-moderation.ts'
import type { People, PlacedContent, SeedContext } from './seed-context.ts'

const PUBLIC_FOLDER = join(import.meta.dirname, '../../../public')
const FIRST_DAY = -28
/** The newest ones wait for a moderator. */
const HELD = 6
const DECLINED = [41, 137]

/** The areas of a site at once, and an activity with places in them. */
export async function seedPlaces(seeding: SeedContext, people: People, placed: PlacedContent): Promise<void> {
  const { tx, siteId, content, calendar } = seeding
  const given = content.places
  const project = placed.projects.find((one) => one.project.slug === given?.project)
  if (!given || !project) return
  const wards = readWards(seeding, given, placed)
  await insertAll(tx, areas, wards)
  const activityId = createId()
  await tx.insert(activities).values({
    siteId,
    id: activityId,
    projectId: project.id,
    kind: 'places',
    slug: given.activity.slug,
    title: given.activity.title,
    intro: given.activity.intro,
    status: 'published',
    settings: requireValid(getKind('places').settings, { categories: given.activity.categories, openData: true }),
    fields: requireValid(extraQuestionsSchema, given.activity.fields),
    position: 2,
    hasOpened: true,
    numbered: given.count,
    layers: 1,
    ...buildSearchFields(given.activity.title, given.activity.intro),
  })
  await tx.insert(mapLayers).values(buildLayer(given.layer, siteId, activityId))
  const statuses = buildStartingStatuses({ site: { id: siteId } }, activityId, 'places')
  await tx.insert(contributionStatuses).values(statuses)
  const findStatus = (code: string) => statuses.find((status) => status.code === code)?.id ?? null
  const random = createRandom(`${content.slug} places`)
  const drafts = Array.from({ length: given.count }, (_, index) => draftPlace(given, wards, random, index))
  const rows = drafts.map(({ text, supports, point, ward, answer, status, ...draft }, index) => {
    const state =
      index >= given.count - HELD ? ('held' as const) : DECLINED.includes(index) ? ('declined' as const) : ('published' as const)
    const submittedAt = calendar.at(FIRST_DAY + Math.floor((index * -FIRST_DAY) / given.count), 8 + (index % 13), (index * 23) % 60)
    return {
      ...text,
      ...draft,
      fields: answerFields(given, draft.language, index),
      siteId,
      id: createId(),
      activityId,
      number: index + 1,
      areaId: ward.id,
      geometry: { type: 'Point' as const, coordinates: point },
      lng: point[0],
      lat: point[1],
      source: 'web' as const,
      state,
      reason: state === 'declined' ? (given.declinedReason[draft.language] ?? '') : '',
      version: 1,
      statusId: findStatus(state === 'published' ? (answer?.status ?? status) : 'received'),
      supports: state === 'published' ? supports : 0,
      receiptHash: makeUpHash(`place ${index}`),
      submittedAt,
      publishedAt: state === 'published' ? new Date(submittedAt.getTime() + 4 * 3_600_000) : null,
      ...(state === 'published' ? buildContributionSearch(text) : { searchTitle: '', searchText: '' }),
    }
  })
  await insertContributions(tx, rows)
  await seedDecisions(seeding, people, rows)
  await insertSupports(tx, rows, 'tree supporter')
  await insertAll(
    tx,
    officialResponses,
    rows.flatMap(({ id, state, submittedAt }, index) => {
      const answer = drafts[index]?.answer
      if (!answer || state !== 'published') return []
      const at = new Date(Math.min(submittedAt.getTime() + 6 * 86_400_000, calendar.at(-1, 15).getTime()))
      const createdBy = people.accounts.hubAdmin.id
      return [{ siteId, id: createId(), contributionId: id, statusId: findStatus(answer.status), text: answer.text, team: given.team, version: 1, createdBy, createdAt: at }] // prettier-ignore
    }),
  )
}

function buildLayer(
  { name, pattern, columns, features }: DemoPlaces['layer'],
  siteId: string,
  activityId: string,
): typeof mapLayers.$inferInsert {
  const shapes = features.map(({ area }) => ({ areas: [[area]] }))
  const rangeOf = (axis: 0 | 1) => features.flatMap(({ area }) => area.filter((_, at) => at % 2 === axis))
  return {
    siteId,
    id: createId(),
    activityId,
    number: 1,
    name,
    pattern,
    bytes: JSON.stringify(shapes).length,
    features: features.length,
    box: [Math.min(...rangeOf(0)), Math.min(...rangeOf(1)), Math.max(...rangeOf(0)), Math.max(...rangeOf(1))],
    shapes,
    isSimplified: false,
    columns: [...columns],
    rows: features.map(({ cells }) => [...cells]),
  }
}

/** The areas as the dataset's first copy would make them, so that the map is there from the start. */
function readWards({ siteId, content }: SeedContext, given: DemoPlaces, placed: PlacedContent) {
  const dataset = content.datasets.find(({ slug }) => slug === given.boundaries)
  const datasetId = placed.datasets.get(given.boundaries)
  const keys = dataset?.boundaries
  if (!dataset || !datasetId || !keys) throw new Error(`The demo has no boundaries ${given.boundaries}`)
  const { features } = JSON.parse(readFileSync(join(PUBLIC_FOLDER, dataset.file), 'utf8')) as {
    features: { properties: Record<string, unknown>; geometry: unknown }[]
  }
  return features.map(({ properties, geometry }) => {
    const name = String(properties[keys.name])
    const postcodes = parsePostcodes(keys.postcodes && properties[keys.postcodes])
    return { siteId, id: createId(), datasetId, slug: toSlug(name), name, rings: parseRings(geometry) ?? [], postcodes, goneAt: null }
  })
}

type Ward = ReturnType<typeof readWards>[number]

function draftPlace(given: DemoPlaces, wards: readonly Ward[], random: Random, index: number) {
  // The old town is fuller than its edges.
  const ward = random.chance(0.45) ? random.pick(wards.filter(({ name }) => /Millside|Northgate|Sainte/.test(name))) : random.pick(wards)
  const street = random.pick(given.streets[ward.name] ?? [ward.name])
  const language = random.chance(ward.name === 'Sainte-Anne' ? 0.6 : 0.15) ? ('fr-CA' as const) : ('en' as const)
  const subject = random.pick(given.subjects[language] ?? [])
  const ending = random.pick(given.endings[language] ?? [''])
  const title = subject.title.replace('{street}', street)
  const hasName = random.chance(0.4)
  return {
    text: { title, body: [subject.body, ending].filter(Boolean).join('\n\n'), placeText: street },
    language,
    categories: [subject.category],
    shownAs: hasName ? ('first_name' as const) : ('anonymous' as const),
    shownName: hasName ? random.pick(given.names) : '',
    supports: Math.floor(random.next() ** 3 * 48),
    point: choosePoint(ward.rings, random),
    ward,
    answer: index % 9 === 4 ? random.pick(given.answers) : undefined,
    status: index < given.count / 2 ? ('under_review' as const) : ('received' as const),
    repliesCount: 0,
  }
}

/** Two of three say what should be planted, one of seven who could water it. */
function answerFields({ activity, care }: DemoPlaces, language: 'en' | 'fr-CA', index: number): FieldValues {
  const [plant] = activity.fields
  const option = plant && 'options' in plant ? plant.options[((index * 5) % 7) % plant.options.length] : undefined
  const texts = care[language] ?? []
  const text = texts[index % texts.length]
  return { ...(index % 3 !== 2 && option && { plant: option.id }), ...(index % 7 === 3 && text && { care: text }) }
}

/** A point inside the area, more often near its middle. */
function choosePoint(rings: Rings, random: Random): Position {
  const corners = rings.flat()
  const findRange = (axis: 0 | 1) =>
    [Math.min(...corners.map((corner) => corner[axis])), Math.max(...corners.map((corner) => corner[axis]))] as const
  const [[west, east], [south, north]] = [findRange(0), findRange(1)]
  const choose = (from: number, to: number) => Number(random.normal((from + to) / 2, (to - from) / 4).toFixed(5))
  for (let tries = 0; tries < 40; tries++) {
    const point: Position = [choose(west, east), choose(south, north)]
    if (isPointInside(point, rings)) return point
  }
  return [(west + east) / 2, (south + north) / 2]
}
