import type { ActivityView } from '../record/contributions.schema.ts'

type ActivityPath = Pick<ActivityView, 'slug' | 'project'>

const buildActivityAddress = ({ project, slug }: ActivityPath) => `/projects/${project.slug}/${slug}`

/** Of the forms of an activity, without a language: what is written in them is kept by it. */
export const buildWritingAddress = (activity: ActivityPath) => `${buildActivityAddress(activity)}/new`
/** What else is written about one contribution. */
type AboutContribution = 'reply' | 'report' | 'edit' | 'addition' | 'objection'

export const buildAddressAbout = (activity: ActivityPath, number: number, what: AboutContribution) =>
  `${buildActivityAddress(activity)}/${number}/${what}`
