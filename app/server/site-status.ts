import { eq } from 'drizzle-orm'
import type { Tx } from './db/client.ts'
import { sites } from './db/schema/sites.ts'

/** True if the site is active right now: a job that started before a suspension checks again. */
export async function isSiteActive(tx: Tx, siteId: string): Promise<boolean> {
  const [site] = await tx.select({ status: sites.status }).from(sites).where(eq(sites.id, siteId))
  return site?.status === 'active'
}
