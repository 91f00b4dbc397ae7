import { api } from '#app/shell/api.ts'
import type { RevisedPlace } from '../draft.schema.ts'

interface SaveInput {
  content: Record<string, unknown>
  parent: string | null
  note: string
}

/** A server that does not answer for this long counts as offline. */
const SAVE_TIMEOUT_MS = 15_000

/** Saves a version on top of its parent. @returns its id */
export async function saveRevision({ subject, hubId }: RevisedPlace, { content, parent, note }: SaveInput): Promise<string> {
  const said = note ? { note } : {}
  const options = { signal: AbortSignal.timeout(SAVE_TIMEOUT_MS) }
  if (subject === 'homepage') {
    const relationships = {
      ...(parent ? { parent: { type: 'homepage-revisions' as const, id: parent } } : {}),
      ...(hubId ? { hub: { type: 'hubs' as const, id: hubId } } : {}),
    }
    const saved = await api.create('homepage-revisions', { attributes: { content, ...said }, relationships }, options)
    return saved.data.id
  }
  const relationships = parent ? { parent: { type: 'appearance-revisions' as const, id: parent } } : {}
  const saved = await api.create('appearance-revisions', { attributes: { tokens: content, ...said }, relationships }, options)
  return saved.data.id
}

/** Publishes a version now or at `publishAt`, without the texts named in `waived`. */
export async function publishRevision({ subject }: RevisedPlace, id: string, attributes: { waived: string[]; publishAt?: string }) {
  if (subject === 'homepage') {
    await api.createRelated('homepage-revisions', id, 'publications', { type: 'homepage-publications', attributes })
  } else {
    await api.createRelated('appearance-revisions', id, 'publications', { type: 'appearance-publications', attributes })
  }
}

/** Withdraws a publication or cancels a scheduled one. */
export const withdrawRevision = ({ subject }: RevisedPlace, id: string) =>
  api.remove(subject === 'homepage' ? 'homepage-publications' : 'appearance-publications', id)
