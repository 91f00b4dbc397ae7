import { sql } from 'drizzle-orm'
import type { Language } from '#app/lib/languages.ts'
import { createRandom, type Random } from '#app/lib/random.ts'
import type { ReachSource } from '#app/features/reach/reach.schema.ts'
import { reachDays } from '#app/server/db/schema/reach.ts'
import { insertAll } from './insert-rows.ts'
import type { PlacedContent, SeedContext } from './seed-context.ts'

const DAYS = 120
/** Stands for a salt that never existed: the demo's visitors are invented. */
const INVENTED = '00000000-0000-7000-8000-000000000001'
const SOURCES: Record<ReachSource, number> = { direct: 34, search: 22, social: 17, email: 14, site: 8, campaign: 5 }
const CAMPAIGN = 'bus-stop-poster'

/** Of the people who look further than a project's front page, on the day a text appears; half as many some days later. */
const READ_SHARE = { update: 0.6, document: 0.25 }
const DAYS_TO_HALF = 5

type Row = typeof reachDays.$inferInsert
interface ReachCell {
  language: Language
  source: ReachSource
  aware: number
  informed: number
}

/** Visits of recent months that match the responses: more people look than read, and more read than respond. */
export async function seedReach({ tx, siteId, content, calendar }: SeedContext, placed: PlacedContent): Promise<void> {
  const { rows: given } = await tx.execute<{ project: string; ago: number; language: Language; people: number }>(sql`
    select s.project_id as project, (${calendar.now}::timestamptz at time zone ${content.timeZone})::date - (r.submitted_at at time zone ${content.timeZone})::date as ago,
      r.language, count(*)::int as people
    from responses r join surveys s on s.site_id = r.site_id and s.id = r.survey_id
    where r.site_id = ${siteId} and r.submitted_at > ${calendar.at(-DAYS, 0)} group by 1, 2, 3`)
  const answered = new Map(given.map(({ project, ago, language, people }) => [`${project} ${ago} ${language}`, people]))
  const topics = await loadTopics(tx, siteId)
  const texts = await loadReadTexts({ tx, siteId, calendar })
  const rows: Row[] = []
  const languages = Object.keys(content.people.languages) as Language[]
  for (let ago = 0; ago < DAYS; ago++) {
    const day = calendar.at(-ago, 12).toISOString().slice(0, 10)
    const random = createRandom(`${content.slug}/reach/${day.slice(5)}/${ago}`)
    const places = new Map<string, ReachCell[]>()
    for (const { id, hubId, project } of placed.projects) {
      if (!isOut(project, ago)) continue
      const isOver = -ago > (project.closes ?? 0)
      const calm = random.normal(isOver ? 1.5 : 6, 2) * (project.featured ? 2 : 1)
      for (const language of languages) {
        const people = answered.get(`${id} ${ago} ${language}`) ?? 0
        const share = (content.people.languages[language] ?? 0) / sumNumbers(Object.values(content.people.languages))
        const informed = people + Math.round(people * (0.4 + random.next() * 0.5) + Math.max(0, calm) * share * 0.3)
        const aware = informed + Math.round(informed * (0.8 + random.next() * 0.7) + Math.max(0, calm) * share)
        const cells = distributeVisits(random, language, aware, informed)
        addCells(places, `project ${id}`, cells)
        if (hubId) addCells(places, `hub ${hubId}`, cells)
        const topic = topics.get(id)
        if (topic) addCells(places, `topic ${topic}`, cells)
        addCells(places, `site ${siteId}`, cells)
      }
    }
    for (const { kind, id, project, days } of texts) {
      if (ago > days) continue
      const share = READ_SHARE[kind] / (1 + (days - ago) / DAYS_TO_HALF)
      const readers = (places.get(`project ${project}`) ?? []).map((cell) => Math.round(cell.informed * share))
      const cells = (places.get(`project ${project}`) ?? []).map((cell, at) => ({
        ...cell,
        aware: readers[at] ?? 0,
        informed: readers[at] ?? 0,
      }))
      addCells(places, `${kind} ${id}`, cells)
    }
    for (const language of languages) addCells(places, `site ${siteId}`, distributeVisits(random, language, random.int(2, 9), 0))
    for (const [key, cells] of places) rows.push(...toRows(siteId, day, key, cells))
  }
  await insertAll(tx, reachDays, rows)
}

/** People hear of a project shortly before it opens. */
const isOut = ({ status, opens = -30 }: PlacedContent['projects'][number]['project'], ago: number): boolean =>
  (status === 'published' || status === 'archived') && -ago >= opens - 3

/** @param key kind and id of the place */
function toRows(siteId: string, day: string, key: string, cells: readonly ReachCell[]): Row[] {
  const [kind = '', placeId = ''] = key.split(' ')
  return cells
    .filter(({ aware }) => aware > 0)
    .map((cell) => ({ ...cell, siteId, kind, placeId, day, saltId: INVENTED, campaign: cell.source === 'campaign' ? CAMPAIGN : '' }))
}

/** Splits visits by source and counts how many of them went further. */
function distributeVisits(random: Random, language: Language, aware: number, informed: number): ReachCell[] {
  const cells = new Map<ReachSource, ReachCell>()
  for (let person = 0; person < aware; person++) {
    const source = random.weighted<ReachSource>(SOURCES)
    const cell = cells.get(source) ?? { language, source, aware: 0, informed: 0 }
    cell.aware += 1
    if (person < informed) cell.informed += 1
    cells.set(source, cell)
  }
  return [...cells.values()]
}

/** No invented visitor saw two projects on the same day, so a hub or site has the sum of its projects' visitors. */
function addCells(places: Map<string, ReachCell[]>, key: string, cells: readonly ReachCell[]): void {
  const known = places.get(key) ?? []
  for (const cell of cells) {
    const same = known.find(({ language, source }) => language === cell.language && source === cell.source)
    if (same) {
      same.aware += cell.aware
      same.informed += cell.informed
    } else known.push({ ...cell })
  }
  places.set(key, known)
}

async function loadTopics(tx: SeedContext['tx'], siteId: string): Promise<Map<string, string>> {
  const { rows } = await tx.execute<{ id: string; topic: string }>(
    sql`select id, topic_id as topic from projects where site_id = ${siteId} and topic_id is not null`,
  )
  return new Map(rows.map(({ id, topic }) => [id, topic]))
}

/** Updates and documents, and how many days ago they appeared. */
async function loadReadTexts({ tx, siteId, calendar }: Pick<SeedContext, 'tx' | 'siteId' | 'calendar'>) {
  const { rows } = await tx.execute<{ kind: keyof typeof READ_SHARE; id: string; project: string; days: number }>(sql`
    select 'update' as kind, id, project_id as project, floor(extract(epoch from ${calendar.now}::timestamptz - published_at) / 86400)::int as days
    from project_updates where site_id = ${siteId} and published_at <= ${calendar.now}::timestamptz
    union all
    select 'document', id, project_id, floor(extract(epoch from ${calendar.now}::timestamptz - created_at) / 86400)::int
    from project_documents where site_id = ${siteId} order by 2`)
  return rows
}

const sumNumbers = (numbers: readonly (number | undefined)[]) => numbers.reduce<number>((total, number) => total + (number ?? 0), 0)
