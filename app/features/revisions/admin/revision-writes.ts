import { api } from '#app/shell/api.ts'
import type { RevisedPlace, WithdrawnPlace } from '../draft.schema.ts'

interface SaveInput {
  content: Record<string, unknown>
  parent: string | null
  note: string
}

/** A server that does not answer for this long counts as offline. */
const SAVE_TIMEOUT_MS = 15_000

/** Saves a version on top of its parent. @returns its id */
export async function saveRevision({ subject, placeId }: RevisedPlace, { content, parent, note }: SaveInput): Promise<string> {
  const said = note ? { note } : {}
  const options = { signal: AbortSignal.timeout(SAVE_TIMEOUT_MS) }
  if (subject === 'homepage') {
    const relationships = {
      ...(parent ? { parent: { type: 'homepage-revisions' as const, id: parent } } : {}),
      ...(placeId ? { hub: { type: 'hubs' as const, id: placeId } } : {}),
    }
    return (await api.create('homepage-revisions', { attributes: { content, ...said }, relationships }, options)).data.id
  }
  if (subject === 'project') {
    const relationships = {
      ...(parent ? { parent: { type: 'project-revisions' as const, id: parent } } : {}),
      project: { type: 'projects' as const, id: placeId ?? '' },
    }
    return (await api.create('project-revisions', { attributes: { content, ...said }, relationships }, options)).data.id
  }
  if (subject === 'activity') {
    const relationships = {
      ...(parent ? { parent: { type: 'activity-revisions' as const, id: parent } } : {}),
      activity: { type: 'activities' as const, id: placeId ?? '' },
    }
    return (await api.create('activity-revisions', { attributes: { content, ...said }, relationships }, options)).data.id
  }
  if (subject === 'heard-report') {
    const relationships = {
      ...(parent ? { parent: { type: 'heard-report-revisions' as const, id: parent } } : {}),
      project: { type: 'projects' as const, id: placeId ?? '' },
    }
    return (await api.create('heard-report-revisions', { attributes: { content, ...said }, relationships }, options)).data.id
  }
  const relationships = parent ? { parent: { type: 'appearance-revisions' as const, id: parent } } : {}
  return (await api.create('appearance-revisions', { attributes: { tokens: content, ...said }, relationships }, options)).data.id
}

/**
 * Publishes a version now or at `publishAt`, without the texts named in `waived`; for those who may only ask, requests a review.
 * @param attributes `asksOnly` requests one of a report also for those who may publish
 */
export async function publishRevision(
  { subject }: RevisedPlace,
  id: string,
  { asksOnly, ...attributes }: { waived: string[]; publishAt?: string; asksOnly: boolean },
) {
  switch (subject) {
    case 'homepage':
      return void (await api.createRelated('homepage-revisions', id, 'publications', { type: 'homepage-publications', attributes }))
    case 'appearance':
      return void (await api.createRelated('appearance-revisions', id, 'publications', { type: 'appearance-publications', attributes }))
    case 'activity': {
      const { waived } = attributes
      const publication = { type: 'activity-revision-publications' as const, attributes: { waived } }
      return void (await api.createRelated('activity-revisions', id, 'publications', publication))
    }
    case 'heard-report': {
      const { waived } = attributes
      const revision = { type: 'heard-report-revisions' as const, id }
      const document = { attributes: { waived }, relationships: { revision } }
      return void (await (asksOnly ? api.create('heard-report-reviews', document) : api.create('heard-reports', document)))
    }
    case 'project': {
      const { waived } = attributes
      const publication = { type: 'project-revision-publications' as const, attributes: { waived } }
      return void (await api.createRelated('project-revisions', id, 'publications', publication))
    }
  }
}

const PUBLICATIONS = {
  homepage: 'homepage-publications',
  appearance: 'appearance-publications',
  project: 'project-revision-publications',
  activity: 'activity-revision-publications',
} as const

/** Withdraws a publication, or cancels a scheduled one or a request for a review. */
export const withdrawRevision = ({ subject }: WithdrawnPlace, id: string) => api.remove(PUBLICATIONS[subject], id)
