import type { RememberedViewers } from './auth/remembered-viewers.ts'
import type { Database } from './db/client.ts'
import type { Env } from './env.ts'
import type { KeptBodies } from './kept-bodies.ts'
import type { Logger } from './log.ts'
import type { PublicReads } from './public-reads.ts'
import type { RememberedRows } from './remembered-rows.ts'
import type { SiteDirectory } from './site-directory.ts'

/** What one process shares between its requests and jobs. */
export interface Runtime {
  env: Env
  /** Key material for signatures, which never changes: the first SECRET_KEY, or the first one stored in DATA_DIR. */
  secret: string
  /** Sealing keys, newest first, if there is more than one. */
  keys?: readonly string[]
  database: Database
  /** Of `DATABASE_READ_URL`: see `readFromStandby`. */
  standby?: Database
  sites: SiteDirectory
  /** Only in web processes, which hear of changed content. */
  publicReads?: PublicReads
  /** Answers of the API to visitors, apart from what pages need: there are as many as there are queries. */
  publicAnswers?: PublicReads
  /** Rows that many requests read. Only in web processes. */
  rows?: RememberedRows
  /** Answers of the API that were put together from such rows. Only in web processes. */
  bodies?: KeptBodies
  /** Who tokens belong to. Only in web processes, which hear of changed people. */
  viewers?: RememberedViewers
  log: Logger
  now: () => Date
}
