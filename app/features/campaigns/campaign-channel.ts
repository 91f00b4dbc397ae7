import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { Reader } from './audience.server.ts'
import type { StoredCampaign } from './campaigns.server.ts'

/** How a channel writes a campaign's messages to its outbox. */
export interface CampaignChannel {
  /** True if this channel can send messages at all. */
  isReady(ctx: Ctx): Promise<boolean>
  /** True if a campaign, before its first message is written, fits the site's limit as a whole. */
  isWithinLimit?(ctx: Ctx, campaign: StoredCampaign): Promise<boolean>
  /**
   * Writes a message for each reader who has none from this campaign yet.
   * @returns how many were written
   * @throws {LimitExceeded} if that exceeds the site's limit
   */
  writeMessages(ctx: Ctx, tx: Tx, campaign: StoredCampaign, readers: readonly Reader[]): Promise<number>
  /** Number of unfinished messages; once there are none, the final tally, for channels that delete their messages later. */
  loadProgress(ctx: Ctx, tx: Tx, campaign: StoredCampaign): Promise<{ open: number; tally?: StoredCampaign['tally'] }>
}

/** The campaign would exceed the site's message limit. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded'
}
