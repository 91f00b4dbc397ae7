import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../../lib/roles.ts'
import { TOKEN_ITEM } from '../../lib/stored-items.ts'

/** A new 256-bit secret for a session or a one-time link. Only its hash is ever stored. */
export const createToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const HOUR_MS = 3_600_000

/** How long a session lasts after its last use, and at most, in hours (decision 0100). */
export const SESSION_HOURS: Record<Role | 'participant', { idle: number; most: number }> = {
  participant: { idle: TOKEN_ITEM.seconds / 3600, most: 180 * 24 },
  project_admin: { idle: 2, most: 12 },
  hub_admin: { idle: 2, most: 12 },
  site_admin: { idle: 2, most: 12 },
  platform_admin: { idle: 1, most: 12 },
}

const addHours = (moment: Date, hours: number): Date => new Date(moment.getTime() + hours * HOUR_MS)

/** When a session ends that is not used any more. */
export const computeIdleEnd = (role: Role | 'participant', now: Date): Date => addHours(now, SESSION_HOURS[role].idle)

/** When a session ends, however much it is used. */
export const computeLatestEnd = (role: Role | 'participant', begunAt: Date): Date => addHours(begunAt, SESSION_HOURS[role].most)
