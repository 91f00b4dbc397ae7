import { createHmac } from 'node:crypto'
import { APP_ROLE } from './db/tenancy.ts'

/** Password of the application's database role, derived from the secret key so that every process knows it. */
export const appPassword = (secret: string): string => createHmac('sha256', secret).update('database role').digest('hex')

/** The same database as `ownerUrl`, reached as the application's own role. */
export function appUrl(ownerUrl: string, secret: string): string {
  const url = new URL(ownerUrl)
  url.username = APP_ROLE
  url.password = appPassword(secret)
  return url.href
}
