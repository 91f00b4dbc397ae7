/** What leads from an empty site to a published consultation, in the order that people take it. */
export const FIRST_STEPS = [
  'settings',
  'mail',
  'legal',
  'appearance',
  'homepage',
  'hub',
  'project',
  'survey',
  'rules',
  'publish',
  'invite',
] as const
export type FirstStepName = (typeof FIRST_STEPS)[number]

export interface FirstStep {
  name: FirstStepName
  isDone: boolean
}
