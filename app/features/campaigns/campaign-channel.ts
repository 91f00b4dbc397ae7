import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Reader } from './audience.server.ts'
import type { StoredCampaign } from './campaigns.server.ts'

/** How a channel writes a campaign's messages into its outbox. */
export interface CampaignChannel {
  /** Whether messages of this channel can be sent at all. */
  isReady(ctx: Ctx): Promise<boolean>
  /** Whether a campaign of which nothing is written yet may be, as a whole, by what the site allows itself. */
  isWithinLimit?(ctx: Ctx, campaign: StoredCampaign): Promise<boolean>
  /**
   * Writes a message to each reader who has none of this campaign.
   * @returns how many were written
   * @throws {LimitPassed} where that passes what the site allows itself
   */
  writeMessages(ctx: Ctx, tx: Tx, campaign: StoredCampaign, readers: readonly Reader[]): Promise<number>
  /** How many of a campaign's messages are not dealt with yet, and what became of all once that is none, where messages are not kept. */
  loadProgress(ctx: Ctx, tx: Tx, campaign: StoredCampaign): Promise<{ open: number; tally?: StoredCampaign['tally'] }>
}

/** A campaign's messages would be more than the site allows itself. */
export class LimitPassed extends Error {
  override readonly name = 'LimitPassed'
}
