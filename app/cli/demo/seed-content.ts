import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Language } from '#app/lib/languages.ts'
import { countPdfPages } from '#app/features/projects/documents/count-pdf-pages.ts'
import { buildProjectSearchFields } from '#app/features/projects/project-search-fields.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { normaliseKeyword } from '#app/lib/text-keywords.ts'
import { createId } from '#app/lib/uuid.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { surveyKeywords } from '#app/server/db/schema/messages.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projectDates, projectDocuments, projectMembers, projects, topics } from '#app/server/db/schema/projects.ts'
import { surveyRevisions, surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { projectFollows, projectUpdates } from '#app/server/db/schema/updates.ts'
import { buildDefinition } from './crowd.ts'
import type { DemoProject, DemoSurvey } from './content/types.ts'
import { insertAll } from './insert-rows.ts'
import type { People, Person, PlacedContent, SeedContext } from './seed-context.ts'

const PUBLIC = fileURLToPath(new URL('../../../public', import.meta.url))
const MEDIA_TYPES: Record<string, string> = { pdf: 'application/pdf', html: 'text/html', txt: 'text/plain' }
const OPENS = [9, 0] as const
const CLOSES = [23, 59] as const

/** Everything that administrators wrote: hubs, topics, projects with all that belongs to them, pages, connectors. */
export async function seedContent(seeding: SeedContext, people: People): Promise<PlacedContent> {
  const { tx, siteId, content, calendar } = seeding
  const hubIds = new Map(content.hubs.map((hub) => [hub.slug, createId()]))
  const topicIds = new Map(content.topics.map((topic) => [topic.slug, createId()]))
  await insertAll(
    tx,
    hubs,
    content.hubs.map((hub, position) => ({
      siteId,
      id: requireId(hubIds, hub.slug),
      slug: hub.slug,
      title: hub.title,
      summary: hub.summary,
      body: calendar.fill(hub.body),
      ...buildSearchFields(hub.title, hub.summary, calendar.fill(hub.body)),
      picture: hub.picture,
      pictureAlt: hub.pictureAlt,
      contactEmail: `${hub.contact}@${content.mailDomain}`,
      position,
      createdAt: calendar.at(-880, 10),
      updatedAt: calendar.at(-40 - position, 11),
    })),
  )
  await insertAll(
    tx,
    topics,
    content.topics.map((topic) => ({ siteId, id: requireId(topicIds, topic.slug), ...topic })),
  )

  const connectorIds = new Map(content.connectors.map(({ portalUrl }) => [portalUrl, createId()]))

  const placed: PlacedContent = { hubs: hubIds, datasets: new Map(), projects: [] }
  for (const project of content.projects) {
    const hubId = project.hub === null ? null : requireId(hubIds, project.hub)
    placed.projects.push(await seedProject(seeding, people, project, hubId, requireId(topicIds, project.topic)))
  }
  await insertAll(
    tx,
    pages,
    content.pages.map((page, position) => ({
      siteId,
      id: createId(),
      slug: page.slug,
      kind: page.kind,
      title: page.title,
      body: calendar.fill(page.body),
      ...buildSearchFields(page.title, calendar.fill(page.body)),
      position,
      publishedAt: calendar.at(-600, 10),
      updatedAt: calendar.at(-120, 10),
    })),
  )
  await insertAll(
    tx,
    cityConnectors,
    content.connectors.map((connector) => ({
      siteId,
      id: requireId(connectorIds, connector.portalUrl),
      ...connector,
      language: content.locale,
      everyMinutes: 1440,
      failures: 0,
      createdAt: calendar.at(-200, 14),
      updatedAt: calendar.at(-200, 14),
      lockVersion: 1,
    })),
  )
  for (const { connector, file, project, columns, ...dataset } of content.datasets) {
    const id = createId()
    placed.datasets.set(dataset.slug, id)
    await tx.insert(cityDatasets).values({
      siteId,
      id,
      ...dataset,
      connectorId: requireId(connectorIds, connector),
      projectId: placed.projects.find((one) => one.project.slug === project)?.id ?? null,
      sourceId: file,
      publisher: content.name,
      licence: content.dataLicence.name,
      licenceUrl: content.dataLicence.address,
      columns: columns.map((column) => ({ ...column, shown: true })),
      publishedAt: calendar.at(-30, 9),
    })
  }
  await insertAll(tx, memberships, buildRoles(seeding, people, placed))
  return placed
}

function buildRoles({ siteId, content }: SeedContext, { accounts }: People, placed: PlacedContent): (typeof memberships.$inferInsert)[] {
  const projectId = (slug: string): string => {
    const found = placed.projects.find(({ project }) => project.slug === slug)
    if (!found) throw new Error(`The demo has no project ${slug}`)
    return found.id
  }
  return [
    { siteId, id: createId(), userId: accounts.siteAdmin.id, role: 'site_admin' },
    { siteId, id: createId(), userId: accounts.hubAdmin.id, role: 'hub_admin', hubId: requireId(placed.hubs, content.people.hubOfAdmin) },
    ...content.people.projectsOfAdmin.map((slug) => ({
      siteId,
      id: createId(),
      userId: accounts.projectAdmin.id,
      role: 'project_admin' as const,
      projectId: projectId(slug),
    })),
  ]
}

async function seedProject(
  seeding: SeedContext,
  people: People,
  project: DemoProject,
  hubId: string | null,
  topicId: string,
): Promise<PlacedContent['projects'][number]> {
  const { tx, siteId, content, calendar, random } = seeding
  const id = createId()
  const toDate = (day: number | undefined, [hour, minute]: readonly [number, number]): Date | null =>
    day === undefined ? null : calendar.at(day, hour, minute)
  const text = {
    title: calendar.fill(project.title),
    summary: calendar.fill(project.summary),
    body: calendar.fill(project.body),
    outcome: calendar.fill(project.outcome ?? {}),
  }
  const wasPublished = project.status === 'published' || project.status === 'archived'
  const publishedOn = wasPublished ? Math.min((project.opens ?? -30) - 4, -2) : undefined
  const latest = Math.max(publishedOn ?? -6, ...project.updates.map((update) => update.day))
  await tx.insert(projects).values({
    siteId,
    id,
    hubId,
    topicId,
    slug: project.slug,
    ...text,
    status: project.status,
    visibility: project.visibility ?? 'public',
    opensAt: toDate(project.opens, OPENS),
    closesAt: toDate(project.closes, CLOSES),
    publishAt: toDate(project.publishes, OPENS),
    publishedAt: toDate(publishedOn, [10, 0]),
    archivedAt: toDate(project.archived, [16, 0]),
    picture: project.picture,
    pictureAlt: project.pictureAlt,
    place: project.place,
    team: project.team.map((member) => ({ ...member, email: `${member.email}@${content.mailDomain}` })),
    faqs: project.faqs ?? [],
    ...buildProjectSearchFields({ ...text, faqs: project.faqs }),
    featured: project.featured ?? false,
    createdBy: people.accounts.siteAdmin.id,
    createdAt: calendar.at((publishedOn ?? -10) - 14, 11),
    updatedAt: calendar.at(Math.min(latest, -1), 15),
  })
  await insertAll(
    tx,
    projectDates,
    project.dates.map((date, position) => ({
      siteId,
      id: createId(),
      projectId: id,
      title: date.title,
      detail: calendar.fill(date.detail ?? {}),
      happensAt: calendar.at(date.day, date.precision === 'time' ? 18 : 12),
      precision: date.precision ?? 'day',
      position,
    })),
  )
  await insertAll(
    tx,
    projectDocuments,
    await Promise.all(
      project.documents.map(async (document, position) => {
        const bytes = await readFile(PUBLIC + document.file)
        return {
          siteId,
          id: createId(),
          projectId: id,
          title: document.title,
          file: document.file,
          language: document.language,
          position,
          mediaType: MEDIA_TYPES[document.file.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
          bytes: bytes.length,
          pages: document.file.endsWith('.pdf') ? (countPdfPages(bytes) ?? null) : null,
          createdAt: calendar.at(publishedOn ?? -8, 10),
        }
      }),
    ),
  )
  await insertAll(
    tx,
    projectUpdates,
    project.updates.map((update) => ({
      siteId,
      id: createId(),
      projectId: id,
      slug: update.slug,
      title: calendar.fill(update.title),
      body: calendar.fill(update.body),
      ...buildSearchFields(calendar.fill(update.title), calendar.fill(update.body)),
      publishedAt: calendar.at(update.day, 11),
      notifiedAt: calendar.at(update.day, 11),
      createdAt: calendar.at(update.day - 1, 16),
      createdBy: people.accounts.siteAdmin.id,
    })),
  )

  const members: Person[] = project.visibility === 'members' ? people.participants.slice(0, 46) : []
  await insertAll(
    tx,
    projectMembers,
    members.map((person, n) => ({ siteId, projectId: id, userId: person.id, createdAt: calendar.at(-60 + (n % 30), 12) })),
  )
  const audience = members.length ? members : (project.visibility ?? 'public') === 'public' && wasPublished ? people.participants : []
  const share = project.featured ? 0.3 : 0.04 + 0.12 * random.next()
  const followers = audience.filter((person) =>
    person === people.accounts.participant ? (project.featured ?? members.length > 0) : random.chance(share),
  )
  await insertAll(
    tx,
    projectFollows,
    followers.map((person) => ({
      siteId,
      projectId: id,
      userId: person.id,
      createdAt: calendar.at(-random.int(1, Math.max(1, -(publishedOn ?? -1))), random.int(8, 21)),
    })),
  )

  const placedSurveys: { id: string; survey: DemoSurvey }[] = []
  for (const [position, survey] of project.surveys.entries())
    placedSurveys.push({ id: await seedSurvey(seeding, people, id, project, survey, position), survey })
  return { id, hubId, project, members, surveys: placedSurveys }
}

async function seedSurvey(
  { tx, siteId, calendar }: SeedContext,
  people: People,
  projectId: string,
  project: DemoProject,
  survey: DemoSurvey,
  position: number,
): Promise<string> {
  const id = createId()
  const definition = buildDefinition(survey)
  const isPublished = survey.status !== 'draft'
  const draftRevisionId = createId()
  const published = calendar.at(Math.min(project.opens ?? -10, -1) - 2, 10)
  await tx.insert(surveys).values({
    siteId,
    id,
    projectId,
    slug: survey.slug,
    title: calendar.fill(survey.title),
    intro: calendar.fill(survey.intro),
    thanks: calendar.fill(survey.thanks),
    ...buildSearchFields(calendar.fill(survey.title), calendar.fill(survey.intro)),
    status: survey.status,
    access: survey.access ?? 'anyone',
    anonymous: survey.anonymous ?? false,
    variant: survey.variant ?? 'site',
    resultsPublic: survey.resultsPublic ?? false,
    opensAt: project.opens === undefined ? null : calendar.at(project.opens, ...OPENS),
    closesAt: project.closes === undefined ? null : calendar.at(project.closes, ...CLOSES),
    minutes: survey.minutes,
    definition,
    publishedVersion: isPublished ? 1 : null,
    draftRevisionId: isPublished ? draftRevisionId : null,
    position,
    createdAt: calendar.at(Math.min(project.opens ?? -10, -1) - 9, 10),
    updatedAt: published,
  })
  if (isPublished) {
    const publication = { publishedBy: people.accounts.siteAdmin.id, publishedAt: published }
    await tx.insert(surveyVersions).values({ siteId, surveyId: id, number: 1, definition, ...publication })
    const content = { version: 1 }
    const saved = { content, createdBy: publication.publishedBy, createdAt: published, announcedAt: published }
    await tx.insert(surveyRevisions).values({ siteId, id: draftRevisionId, placeId: id, ...saved, ...publication })
  }
  await insertAll(
    tx,
    surveyKeywords,
    Object.entries(survey.byText?.words ?? {}).map(([language, keyword]) => ({
      siteId,
      keyword: normaliseKeyword(keyword),
      surveyId: id,
      language: language as Language,
    })),
  )
  return id
}

function requireId(ids: Map<string, string>, slug: string): string {
  const id = ids.get(slug)
  if (!id) throw new Error(`The demo has nothing named ${slug}`)
  return id
}
