import type { Ctx } from '#app/server/context.ts'
import { findAllowedOrigin } from '../../embed-domains.server.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { EmbedData } from './embed.block.ts'

export async function lookUpEmbed(ctx: Ctx, { address }: HomeBlock<'embed'>): Promise<EmbedData> {
  const origin = await findAllowedOrigin(ctx, address)
  return { source: origin ? { frame: address, origin, host: new URL(address).host } : null }
}
