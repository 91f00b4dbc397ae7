import type { LetterSample } from '#app/features/invitations/invitations.schema.ts'
import { api } from '#app/shell/api.ts'

/** A survey or an activity that people are invited to. */
export interface InvitationSubject {
  type: 'surveys' | 'activities'
  id: string
  slug: string
  title: string
  canInvite: boolean
  /** Published, and not closed. */
  isOpen: boolean
}

type BatchAttributes = { kind: 'codes'; count?: number; sample?: LetterSample } | { kind: 'links'; emails: string[]; groupId?: string }

/** A sample is only for the codes of a survey. */
export const createBatch = async ({ type, id }: InvitationSubject, attributes: BatchAttributes) =>
  type === 'surveys'
    ? await api.create('survey-invitation-batches', { attributes, relationships: { survey: { type, id } } })
    : await api.create('activity-invitation-batches', { attributes, relationships: { activity: { type, id } } })

export const removeBatch = ({ type }: InvitationSubject, id: string) =>
  api.remove(type === 'surveys' ? 'survey-invitation-batches' : 'activity-invitation-batches', id)
