import { intersectTimes, type SurveyTimes } from '#app/features/surveys/surveys.state.server.ts'
import type { ActivityState, StageState } from './contributions.schema.ts'

/** What an activity's state depends on: itself, its stage if it has one, and its project. */
export interface TimedActivity {
  activity: SurveyTimes & { status: string }
  stage: { startsAt: Date; endsAt: Date | null } | null
  project: SurveyTimes & { status: string }
}

/** When an activity takes contributions: while it, its stage and its project are open. */
export const getPostingTimes = ({ activity, stage, project }: TimedActivity): SurveyTimes =>
  intersectTimes([activity, project, ...(stage ? [{ opensAt: stage.startsAt, closesAt: stage.endsAt }] : [])])

/** The state of an activity. Everything that shows it or takes contributions uses this. */
export function getActivityState(now: Date, placed: TimedActivity): ActivityState {
  const { activity, project } = placed
  if (activity.status === 'draft' || !(project.status === 'published' || project.status === 'archived')) return 'preview'
  if (activity.status === 'archived' || project.status === 'archived') return 'closed'
  const { opensAt, closesAt } = getPostingTimes(placed)
  if (closesAt && now >= closesAt) return 'closed'
  return opensAt && now < opensAt ? 'scheduled' : 'open'
}

export function getStageState(now: Date, { startsAt, endsAt }: { startsAt: Date; endsAt: Date | null }): StageState {
  if (now < startsAt) return 'upcoming'
  return endsAt && now >= endsAt ? 'past' : 'current'
}
