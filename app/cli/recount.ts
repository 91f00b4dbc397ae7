import { eq, ne } from 'drizzle-orm'
import { correctContributionCounts } from '../features/contributions/record/contribution-counts.server.ts'
import { rebuildTallies, findWrongCounts } from '../features/surveys/responses/response-counts.server.ts'
import { openDatabase } from '../server/db/client.ts'
import { sites } from '../server/db/schema/sites.ts'
import { surveys } from '../server/db/schema/surveys.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { CommandCall } from './commands.ts'
import { withPreparedDatabase } from './open-database.ts'

/** Compares the stored counts of every survey with its responses, and of every contribution with its reactions and replies, and recounts what differs. */
export async function recountAll({ env, say }: CommandCall): Promise<void> {
  await withPreparedDatabase(env, say, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { max: 2 })
    let [right, wrong] = [0, 0]
    let wrongContributions = 0
    try {
      for (const site of await database.global
        .select({ id: sites.id, name: sites.name })
        .from(sites)
        .where(ne(sites.id, PLATFORM_SITE_ID))) {
        const db = database.site(site.id)
        const found = await db.read((tx) =>
          tx.select({ id: surveys.id, slug: surveys.slug }).from(surveys).where(eq(surveys.siteId, site.id)),
        )
        for (const survey of found) {
          const faults = await db.tx((tx) => findWrongCounts(tx, site.id, survey.id))
          if (faults.length === 0) right++
          else {
            wrong++
            say(`${site.name}, ${survey.slug}: ${faults.length} counts are wrong (stored, real): ${faults.slice(0, 5).join('; ')}`)
            await db.tx((tx) => rebuildTallies(tx, site.id, survey.id))
          }
        }
        for (const { number, id, stored, counted } of await correctContributionCounts(db)) {
          wrongContributions++
          say(
            `${site.name}, contribution ${number} (${id}): stored ${stored.join(', ')}, real ${counted.join(', ')} (for it, against it, replies)`,
          )
        }
      }
    } finally {
      await database.close()
    }
    say(wrong === 0 ? `The counts of ${right} surveys are right.` : `The counts of ${wrong} surveys were wrong and have been made anew.`)
    say(
      wrongContributions === 0
        ? 'The counts of contributions are right.'
        : `The counts of ${wrongContributions} contributions were wrong and have been made anew.`,
    )
  })
}
