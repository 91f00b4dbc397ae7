import { listHubs } from '#app/features/hubs/hubs.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HubGridData } from './hub-grid.block.ts'

export const lookUpHubGrid = async (ctx: Ctx): Promise<HubGridData> => ({ hubs: await listHubs(ctx) })
