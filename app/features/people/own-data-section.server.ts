import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'

/** One part of a person's own data: its name in the downloaded file, and how to read it. */
export interface OwnDataSection {
  name: string
  read(ctx: Ctx, tx: Tx, person: { siteId: string; userId: string; email: string }): Promise<unknown>
}
