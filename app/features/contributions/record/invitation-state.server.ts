import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { findActivityRefusal, type PlacedActivity } from './activities.policy.server.ts'
import { getActivityState } from './activities.state.server.ts'
import type { ContributionListView } from './contributions.schema.ts'

/** Whether an open activity still asks the viewer for the code of an invitation; null if it is not for invited people. */
export async function findInvitationState(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedActivity,
  { mayPost, readInvitation }: { mayPost: AccessRefusal | null; readInvitation: ReadInvitation | undefined },
): Promise<ContributionListView['invitation']> {
  const { postAccess, reactAccess } = placed.activity
  const isForInvited = postAccess === 'invited' || reactAccess === 'invited'
  if (!isForInvited || getActivityState(ctx.now(), placed) !== 'open') return null
  const refusal = postAccess === 'invited' ? mayPost : await findActivityRefusal(ctx, tx, 'contributions.react', placed, readInvitation)
  if (refusal === 'invitation') return 'needed'
  return refusal === null ? 'accepted' : null
}
