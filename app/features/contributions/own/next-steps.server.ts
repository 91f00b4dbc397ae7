import { and, asc, eq, gt } from 'drizzle-orm'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectStages } from '#app/server/db/schema/contributions.ts'
import { isOpenCase, moderationCases } from '#app/server/db/schema/moderation.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { isAbout } from '../moderation/cases.server.ts'
import { isOverdue, isUnanswered } from '../questions/question-state.server.ts'
import { createLocaliser } from '../record/answers.server.ts'
import type { NextStepsView, OfficialAnswerView, ToldView } from '../record/contributions.schema.ts'
import type { PlacedContribution } from '../record/loading.server.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'

/** @param answers all that its author can read. @returns null if it is no longer there */
export async function describeNextSteps(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedContribution,
  answers: readonly OfficialAnswerView[],
): Promise<NextStepsView | null> {
  const { contribution: row, project } = placed
  if (row.state !== 'held' && !READABLE_STATES.includes(row.state)) return null
  const localise = createLocaliser(ctx)
  const [stage] = await tx
    .select({ title: projectStages.title, startsAt: projectStages.startsAt })
    .from(projectStages)
    .where(and(eq(projectStages.siteId, ctx.site.id), eq(projectStages.projectId, project.id), gt(projectStages.startsAt, ctx.now())))
    .orderBy(asc(projectStages.startsAt), asc(projectStages.position))
    .limit(1)
  return {
    decision: row.state === 'held' && !row.reason ? await findDecision(ctx, tx, placed) : null,
    answer: describeAnswer(ctx, placed, answers),
    stage: stage ? { title: localise(stage.title), startsAt: stage.startsAt.toISOString() } : null,
    outcome: localise(project.outcome),
  }
}

/** The date by which a moderator decides, from the open case. @returns null without an open case */
async function findDecision(ctx: Ctx, tx: Tx, { contribution }: PlacedContribution): Promise<NextStepsView['decision']> {
  const [opened] = await tx
    .select({ dueAt: moderationCases.dueAt })
    .from(moderationCases)
    .where(and(isAbout(ctx.site.id, { contributionId: contribution.id, replyId: null }), isOpenCase))
  return opened ? { by: opened.dueAt.toISOString(), isLate: opened.dueAt <= ctx.now() } : null
}

function describeAnswer(
  ctx: Ctx,
  { activity, contribution: row }: PlacedContribution,
  answers: readonly OfficialAnswerView[],
): NextStepsView['answer'] {
  const { tools } = readActivitySettings(activity)
  if (!tools.answers || row.state === 'merged') return null
  const isAnswered = tools.question ? !isUnanswered(row) : answers.some(({ withdrawn }) => !withdrawn)
  return {
    by: isAnswered ? null : (row.dueAt?.toISOString() ?? null),
    state: isAnswered ? 'answered' : isOverdue(row, ctx.now()) ? 'late' : 'waiting',
    isAssigned: tools.question && !isAnswered ? row.assigneeId !== null : null,
  }
}

/** Who will be notified from now on. Sending by itself notifies no one. */
export async function listTold(ctx: Ctx, tx: Tx, placed: PlacedContribution, next: NextStepsView | null): Promise<ToldView> {
  const { activity, project, contribution: row } = placed
  const { viewer } = ctx
  const isPublic = row.state === 'published'
  const isViewer = viewer.kind === 'user' && viewer.id === row.authorId
  const waitsForAnswer = next?.answer?.state === 'waiting' || next?.answer?.state === 'late'
  return {
    author: row.authorId === null ? 'nobody' : isViewer ? 'viewer' : 'account',
    moderators: next?.decision?.isLate === false && (await listPermittedPeople(ctx, tx, 'contributions.moderate', project)).length > 0,
    answer: isPublic && waitsForAnswer ? (readActivitySettings(activity).tools.question ? 'asking' : 'followers') : null,
    project: isPublic && activity.status === 'published',
  }
}
