import { buildPageHead } from '#app/features/sites/seo.ts'
import type { FormState } from '#app/server/request-context.ts'
import type { ActivityView } from './contributions.schema.ts'

type HeadContext = Parameters<typeof buildPageHead>[0]

interface ContributionHead {
  activity: ActivityView
  title: string
  /** Of the page below the activity's. */
  path: string
  form?: FormState | null
  isPublic?: boolean
}

/** The head of a page of an activity: one for all, because every page of the site loads it. */
export function buildContributionHead(context: HeadContext, { activity, title, path, form, isPublic = false }: ContributionHead) {
  const isRefused = form?.faults.some(({ code }) => code !== 'similar-first')
  const { project, slug } = activity
  return buildPageHead(context, {
    title: isRefused ? context.match.context.i18n.t('contributions:error-title', { title }) : title,
    description: activity.title.text,
    path: `/projects/${project.slug}/${slug}${path}`,
    card: `project/${project.slug}`,
    hidden: !isPublic || !activity.listed,
  })
}
