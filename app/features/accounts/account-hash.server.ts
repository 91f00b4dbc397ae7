import { createHmac } from 'node:crypto'

/** Recognises an account in one activity without revealing whose it is. */
export const hashAccount = (secret: string, activityId: string, userId: string): Buffer =>
  createHmac('sha256', secret).update(`reacted/${activityId}/account/${userId}`).digest()
