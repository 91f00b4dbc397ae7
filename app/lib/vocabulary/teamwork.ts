/** What a team comments on and has tasks about. */
export const TARGET_KINDS = [
  'project',
  'activity',
  'survey',
  'page',
  'report',
  'contribution',
  'event',
  'budget',
  'homepage',
  'hub-page',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]
