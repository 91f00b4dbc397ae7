import { resetSecondStep } from '../features/accounts/second-step/reset-second-step.server.ts'
import { createCtx } from '../server/context.ts'
import { openDatabase } from '../server/db/client.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import { createLogger } from '../server/log.ts'
import { SiteDirectory } from '../server/site-directory.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { withPreparedDatabase } from './open-database.ts'
import { readKeys, readSigningSecret } from './prepare.ts'
import { formatUsage } from './usage.ts'

/** Turns off the two-step sign-in of an administrator who lost it, wherever the address has an account. */
export async function resetSecondStepCommand({ env, words, say }: CommandCall): Promise<void> {
  const address = words[0]?.trim().toLowerCase()
  if (!address || words.length > 1) throw new StartupFault(`Usage: parley ${formatUsage('reset-second-step')}`)
  await withPreparedDatabase(env, say, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { max: 2 })
    const sites = new SiteDirectory(database)
    const log = createLogger(env.LOG_LEVEL)
    const runtime = { env, secret: readSigningSecret(env), keys: readKeys(env), database, sites, log, now: () => new Date() }
    try {
      const active = (await sites.loadActive()).filter(({ id }) => id !== PLATFORM_SITE_ID)
      const platform = await sites.loadPlatformAt(active[0]?.primaryHost ?? 'localhost')
      let found = 0
      for (const site of [...active, ...(platform ? [platform] : [])]) {
        if (!(await resetSecondStep(createCtx(runtime, site), address))) continue
        found += 1
        say(`${site.name}: two-step sign-in is off for ${address}, who is signed out everywhere and told by email.`)
      }
      if (found === 0) say(`Nobody with the address ${address} has two-step sign-in.`)
    } finally {
      await database.close()
    }
  })
}
