import type { HomeBlock } from '#app/features/homepage/homepage.schema.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { DemoSite } from './content/types.ts'
import type { PlacedContent } from './seed-context.ts'

/** The site's homepage as the homepage editor would have saved it. */
export function buildHomeBlocks({ home }: DemoSite, placed: PlacedContent, heroTitle: Translated): HomeBlock[] {
  const projectId = (slug: string): string => {
    const found = placed.projects.find(({ project }) => project.slug === slug)
    if (!found) throw new Error(`The homepage names a project that does not exist: ${slug}`)
    return found.id
  }
  const surveyId = ({ project, survey }: NonNullable<typeof home.poll>): string => {
    const placedSurveys = placed.projects.find((found) => found.project.slug === project)?.surveys ?? []
    const found = placedSurveys.find((each) => each.survey.slug === survey)
    if (!found) throw new Error(`The homepage names a survey that does not exist: ${survey}`)
    return found.id
  }
  return [
    { id: 'b_hero', type: 'hero', ...home.hero, title: heroTitle, picture: { file: home.hero.picture, alt: {}, decorative: true } },
    { id: 'b_featured', type: 'featured_project', projectId: projectId(home.featured) },
    { id: 'b_projects', type: 'project_grid', title: home.gridTitle, filter: 'open', limit: 6, projectIds: [] },
    ...(home.poll ? [{ id: 'b_poll', type: 'quick_poll' as const, title: {}, surveyId: surveyId(home.poll) }] : []),
    ...(home.data
      ? [
          {
            id: 'b_data',
            type: 'open_data' as const,
            title: {},
            text: {},
            datasetId: placed.datasets.get(home.data) ?? null,
            show: 'chart' as const,
          },
        ]
      : []),
    { id: 'b_hubs', type: 'hub_grid', title: home.hubsTitle },
    {
      id: 'b_voices',
      type: 'voices',
      title: home.voicesTitle,
      quotes: home.voices.map(({ text, language, project }, at) => ({ id: `q${at + 1}`, text, language, projectId: projectId(project) })),
    },
    { id: 'b_counters', type: 'counters', counters: ['answers', 'decisions', 'open_projects'] },
  ]
}
