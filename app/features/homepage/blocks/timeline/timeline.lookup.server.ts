import type { Ctx } from '#app/server/context.ts'
import type { TimelineData } from './timeline.block.ts'

export const lookUpTimeline = (ctx: Ctx): Promise<TimelineData> => Promise.resolve({ now: ctx.now().toISOString() })
