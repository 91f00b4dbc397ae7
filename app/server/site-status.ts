import { eq } from 'drizzle-orm'
import type { Tx } from './db/client.ts'
import { sites } from './db/schema.ts'

/** Whether the site is on the air at this moment: a job that began before it was suspended asks again. */
export async function isSiteActive(tx: Tx, siteId: string): Promise<boolean> {
  const [site] = await tx.select({ status: sites.status }).from(sites).where(eq(sites.id, siteId))
  return site?.status === 'active'
}
