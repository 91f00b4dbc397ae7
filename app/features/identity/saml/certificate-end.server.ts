import { X509Certificate } from 'node:crypto'
import { CERTIFICATE_REMINDER_DAYS } from '../identity.schema.ts'

const DAY_MS = 86_400_000

/** When the last of a provider's certificates ends; null without certificates. */
export function findCertificateEnd(certificates: readonly string[]): Date | null {
  const ends = certificates.map((pem) => new X509Certificate(pem).validToDate.getTime())
  return ends.length > 0 ? new Date(Math.max(...ends)) : null
}

/** When the latest reminder before `end` was due; undefined before the first. */
export function findDueReminder(end: Date, now: Date): Date | undefined {
  return CERTIFICATE_REMINDER_DAYS.map((days) => new Date(end.getTime() - days * DAY_MS)).findLast((due) => due <= now)
}
