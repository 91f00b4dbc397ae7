import type { Database } from './db/client.ts'
import type { Env } from './env.ts'
import type { Logger } from './log.ts'
import type { SiteDirectory } from './site-directory.ts'

/** What one process shares between its requests and jobs. */
export interface Runtime {
  env: Env
  /** Key material for signatures, the same for good: the first SECRET_KEY, or the first one kept in DATA_DIR. */
  secret: string
  /** Keys that seal what must be read again, the newest first, where there is more than that one. */
  keys?: readonly string[]
  database: Database
  sites: SiteDirectory
  log: Logger
  now: () => Date
}
