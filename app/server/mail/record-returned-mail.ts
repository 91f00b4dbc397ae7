import { and, eq, sql } from 'drizzle-orm'
import { outboxMails } from '../db/schema/mail.ts'
import { campaigns } from '../db/schema/messages.ts'
import { sites } from '../db/schema/sites.ts'
import type { Runtime } from '../runtime.ts'
import type { DeliveryReport } from './delivery-report.ts'
import { markHardBounce, markSoftBounce } from './delivery-outcome.ts'
import { computeSiteMark } from './return-address.ts'

/**
 * Records a bounced mail: marks its address and counts it in its campaign. The address is taken from our mail, not from the report, so that
 * nobody can block an address with a forged report. Idempotent.
 * @param siteId the only site it may belong to; any if omitted
 * @returns whether it was one of our mails
 */
export async function recordReturnedMail(
  runtime: Runtime,
  { references, kind, reason }: DeliveryReport,
  siteId?: string,
): Promise<boolean> {
  const known = siteId ? [siteId] : (await runtime.database.global.select({ id: sites.id }).from(sites)).map(({ id }) => id)
  for (const { mailId, siteMark } of references) {
    for (const id of known.filter((one) => computeSiteMark(one) === siteMark)) {
      if (!(await markReturned(runtime, id, mailId, { kind, reason }))) continue
      runtime.log.info('a mail came back', { siteId: id, mail: mailId, kind })
      return true
    }
  }
  return false
}

const markReturned = (
  runtime: Runtime,
  siteId: string,
  mailId: string,
  { kind, reason }: Pick<DeliveryReport, 'kind' | 'reason'>,
): Promise<boolean> =>
  runtime.database.site(siteId).tx(async (tx) => {
    const own = and(eq(outboxMails.siteId, siteId), eq(outboxMails.id, mailId))
    const [mail] = await tx.select().from(outboxMails).where(own).for('update')
    if (!mail) return false
    if (mail.returnedAs === 'hard' || mail.returnedAs === kind) return true
    const now = runtime.now()
    await tx.update(outboxMails).set({ returnedAt: now, returnedAs: kind, lastError: reason }).where(own)
    if (kind === 'hard') await markHardBounce(tx, mail, reason, now, true)
    else await markSoftBounce(tx, mail, reason, now, true)
    // Only a mail counted as accepted may be counted as returned.
    if (mail.campaignId && mail.sentAt && !mail.returnedAs)
      await tx
        .update(campaigns)
        .set({ returned: sql`${campaigns.returned} + 1` })
        .where(and(eq(campaigns.siteId, siteId), eq(campaigns.id, mail.campaignId)))
    return true
  })
