import { and, asc, eq, isNull } from 'drizzle-orm'
import { openDatabase } from '../server/db/client.ts'
import { campaignMails, outboxMails } from '../server/db/schema/mail.ts'
import { sites } from '../server/db/schema/sites.ts'
import { fillCampaignMail } from '../server/mail/campaign-mails.ts'
import { getUnmaskedBodies } from '../server/mail/mask-secrets.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { withPreparedDatabase } from './open-database.ts'
import { formatUsage } from './usage.ts'

/** Prints the pending mails for an address in full, including what the outbox on the screen masks: for the person who runs the machine. */
export async function mailsCommand({ env, words, say }: CommandCall): Promise<void> {
  const address = words[0]?.trim().toLowerCase()
  if (!address || words.length > 1) throw new StartupFault(`Usage: parley ${formatUsage('mails')}`)
  await withPreparedDatabase(env, say, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { max: 2 })
    let found = 0
    try {
      for (const site of await database.global.select({ id: sites.id, name: sites.name }).from(sites)) {
        const mails = await database.site(site.id).read((tx) =>
          tx
            .select({ mail: outboxMails, said: campaignMails })
            .from(outboxMails)
            .leftJoin(
              campaignMails,
              and(
                eq(campaignMails.siteId, outboxMails.siteId),
                eq(campaignMails.campaignId, outboxMails.campaignId),
                eq(campaignMails.language, outboxMails.language),
              ),
            )
            .where(
              and(
                eq(outboxMails.siteId, site.id),
                eq(outboxMails.recipient, address),
                isNull(outboxMails.sentAt),
                isNull(outboxMails.fault),
              ),
            )
            .orderBy(asc(outboxMails.createdAt), asc(outboxMails.id)),
        )
        for (const { mail, said } of mails) {
          const text = said ? fillCampaignMail(said, mail).bodyText : getUnmaskedBodies(mail).text
          say(`=== ${site.name}, ${mail.createdAt.toISOString()}: ${mail.subject}\n\n${text}\n`)
        }
        found += mails.length
      }
    } finally {
      await database.close()
    }
    if (found === 0) say(`No mail waits for ${address}.`)
  })
}
