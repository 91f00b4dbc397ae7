/** What a team comments on and has tasks about. */
export const TARGET_KINDS = ['project', 'activity', 'survey', 'page', 'report', 'contribution'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]
