import type { TargetKind } from '#app/lib/vocabulary/teamwork.ts'
import type { Ctx } from '#app/server/context.ts'
import { listColleagues, requireTarget } from './targets.server.ts'

const OFFERED = 20

/**
 * Colleagues who work on the same thing, whose names contain the words.
 * @throws {AppError} `not-found`, `unauthenticated`, `forbidden`
 */
export const searchColleagues = (
  ctx: Ctx,
  { kind, id, words }: { kind: TargetKind; id: string; words: string },
): Promise<{ choices: { id: string; name: string }[]; total: number }> =>
  ctx.db.read(async (tx) => {
    const found = await listColleagues(ctx, tx, await requireTarget(ctx, tx, { kind, id }), words)
    return { choices: found.slice(0, OFFERED), total: found.length }
  })
