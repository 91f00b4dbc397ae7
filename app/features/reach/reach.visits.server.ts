import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { hubs, projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import { reachSalts } from '#app/server/db/schema/reach.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import type { ReachSource } from './reach.schema.ts'
import type { SeenPage } from './reach.visit.ts'

/** Somebody saw something on a day, in any number of requests. */
export interface Visit {
  siteId: string
  day: string
  saltId: string
  /** Only valid for one day and site; nobody can be recognised afterwards. */
  visitor: Buffer
  seen: SeenPage
  language: ContentLanguage
  source: ReachSource | null
  campaign: string | null
}

interface Place {
  kind: 'site' | 'hub' | 'topic' | 'project' | 'update' | 'document'
  id: string
}

/**
 * Adds visits of one site and day. A visitor to a project has also visited its hub, its topic and the site, and a reader of an update or a document
 * its project.
 * @returns false if the salt of that day no longer exists: the visits are dropped
 */
export async function storeVisits(tx: Tx, siteId: string, day: string, visits: readonly Visit[]): Promise<boolean> {
  const [salt] = await tx
    .select({ id: reachSalts.id })
    .from(reachSalts)
    .where(and(eq(reachSalts.siteId, siteId), eq(reachSalts.day, day)))
    .for('update')
  if (!salt) return false
  const placesOf = await loadPlaceFinder(tx, siteId, visits)
  const rows = new Map<string, Record<string, unknown>>()
  for (const visit of visits) {
    if (visit.saltId !== salt.id) continue
    const visitor = visit.visitor.toString('hex')
    const { places, further } = placesOf(visit.seen)
    for (const { kind, id } of places) {
      const key = `${visitor} ${kind} ${id}`
      const known = rows.get(key)
      if (known) {
        known['informed'] = known['informed'] || further
        known['source'] ??= visit.source
        known['campaign'] ??= visit.campaign
      } else {
        rows.set(key, {
          visitor,
          kind,
          place_id: id,
          informed: further,
          language: visit.language,
          source: visit.source,
          campaign: visit.campaign,
        })
      }
    }
  }
  await tx.execute(sql`
    insert into reach_visits as known (site_id, day, visitor, kind, place_id, informed, language, source, campaign)
    select ${siteId}::uuid, ${day}::date, decode(visitor, 'hex'), kind, place_id, informed, language, source, campaign
    from json_to_recordset(${JSON.stringify([...rows.values()])}::json) as given (
      visitor text, kind text, place_id uuid, informed boolean, language text, source text, campaign text)
    on conflict (site_id, day, visitor, kind, place_id) do update set
      informed = known.informed or excluded.informed,
      source = coalesce(known.source, excluded.source), campaign = coalesce(known.campaign, excluded.campaign)`)
  await tx
    .update(reachSalts)
    .set({ changed: true })
    .where(and(eq(reachSalts.siteId, siteId), eq(reachSalts.day, day), eq(reachSalts.changed, false)))
  return salt.id === visits[0]?.saltId
}

/** Resolves the places of all visits in a few queries. */
async function loadPlaceFinder(tx: Tx, siteId: string, visits: readonly Visit[]) {
  const wanted = { hub: new Set<string>(), project: new Set<string>(), dataset: new Set<string>(), document: new Set<string>() }
  for (const { seen } of visits) if (seen.kind !== 'site') wanted[seen.kind].add(seen.kind === 'document' ? seen.file : seen.slug)
  const columns = { id: projects.id, hubId: projects.hubId, topicId: projects.topicId }
  // What only administrators see is not part of a city's reach.
  const inSite = and(eq(projects.siteId, siteId), inArray(projects.status, ['published', 'archived']))
  const seenProjects = await (wanted.project.size
    ? tx
        .select({ ...columns, key: projects.slug })
        .from(projects)
        .where(and(inSite, inArray(projects.slug, [...wanted.project])))
    : [])
  const ofDatasets = await (wanted.dataset.size
    ? tx
        .select({ ...columns, key: cityDatasets.slug })
        .from(cityDatasets)
        .innerJoin(projects, and(inSite, eq(projects.id, cityDatasets.projectId)))
        .where(and(eq(cityDatasets.siteId, siteId), inArray(cityDatasets.slug, [...wanted.dataset])))
    : [])
  const ofDocuments = await (wanted.document.size
    ? tx
        .select({ ...columns, key: projectDocuments.file, documentId: projectDocuments.id })
        .from(projectDocuments)
        .innerJoin(projects, and(inSite, eq(projects.id, projectDocuments.projectId)))
        .where(and(eq(projectDocuments.siteId, siteId), inArray(projectDocuments.file, [...wanted.document])))
    : [])
  const seenUpdates = visits.flatMap(({ seen }) => (seen.kind === 'project' && seen.update ? [seen.update] : []))
  const ofUpdates = await (seenUpdates.length
    ? tx
        .select({ id: projectUpdates.id, projectId: projectUpdates.projectId, slug: projectUpdates.slug })
        .from(projectUpdates)
        .where(
          and(
            eq(projectUpdates.siteId, siteId),
            isNotNull(projectUpdates.publishedAt),
            inArray(projectUpdates.slug, [...new Set(seenUpdates)]),
          ),
        )
    : [])
  const seenHubs = await (wanted.hub.size
    ? tx
        .select({ id: hubs.id, key: hubs.slug })
        .from(hubs)
        .where(and(eq(hubs.siteId, siteId), inArray(hubs.slug, [...wanted.hub])))
    : [])
  const site: Place = { kind: 'site', id: siteId }
  type Found = (typeof seenProjects)[number] & { documentId?: string }
  const listPlacesAround = (found: Found | undefined): Place[] =>
    found
      ? [
          site,
          { kind: 'project', id: found.id },
          ...(found.hubId ? [{ kind: 'hub' as const, id: found.hubId }] : []),
          ...(found.topicId ? [{ kind: 'topic' as const, id: found.topicId }] : []),
        ]
      : []
  const indexByKey = (list: readonly Found[]) => new Map(list.map((row) => [row.key, row]))
  const [projectBy, datasetBy, documentBy] = [indexByKey(seenProjects), indexByKey(ofDatasets), indexByKey(ofDocuments)]
  const hubBy = new Map(seenHubs.map((row) => [row.key, row.id]))
  return (seen: SeenPage): { places: Place[]; further: boolean } => {
    switch (seen.kind) {
      case 'site':
        return { places: [site], further: false }
      case 'hub': {
        const hub = hubBy.get(seen.slug)
        return { places: [site, ...(hub ? [{ kind: 'hub' as const, id: hub }] : [])], further: false }
      }
      case 'project': {
        const found = projectBy.get(seen.slug)
        if (!found) return { places: [site], further: false }
        const update = ofUpdates.find(({ projectId, slug }) => projectId === found.id && slug === seen.update)
        return {
          places: [...listPlacesAround(found), ...(update ? [{ kind: 'update' as const, id: update.id }] : [])],
          further: seen.further,
        }
      }
      case 'dataset': {
        const found = datasetBy.get(seen.slug)
        return found ? { places: listPlacesAround(found), further: true } : { places: [site], further: false }
      }
      // A file outside a project is not a visit: pictures in texts, help for forms.
      case 'document': {
        const found = documentBy.get(seen.file)
        const own = found?.documentId === undefined ? [] : [{ kind: 'document' as const, id: found.documentId }]
        return { places: [...listPlacesAround(found), ...own], further: true }
      }
    }
  }
}
