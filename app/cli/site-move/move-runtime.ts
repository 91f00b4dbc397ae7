import { openDatabase } from '../../server/db/client.ts'
import { createLogger } from '../../server/log.ts'
import type { Runtime } from '../../server/runtime.ts'
import { SiteDirectory } from '../../server/site-directory.ts'
import type { CommandCall } from '../commands.ts'
import { withPreparedDatabase } from '../open-database.ts'
import { readKeys, readSigningSecret } from '../prepare.ts'

/** What the acts of `parley site` share. */
export interface MoveRuntime {
  runtime: Runtime
  databaseUrl: string
  say: (line: string) => void
}

export const withMoveRuntime = ({ env, say }: CommandCall, work: (parts: MoveRuntime) => Promise<void>): Promise<void> =>
  withPreparedDatabase(env, say, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { max: 3, onError: () => {} })
    const runtime: Runtime = {
      env,
      secret: readSigningSecret(env),
      keys: readKeys(env),
      database,
      sites: new SiteDirectory(database),
      log: createLogger(env.LOG_LEVEL),
      now: () => new Date(),
    }
    try {
      await work({ runtime, databaseUrl, say })
    } finally {
      await database.close()
    }
  })
