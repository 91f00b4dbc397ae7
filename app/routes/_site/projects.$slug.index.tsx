import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { readProjectRounds } from '#app/features/budgets/budgets.functions.ts'
import { BudgetCard, prepareBudgetCards } from '#app/features/budgets/pages/lazy-budget-card.ts'
import { ActivityCard } from '#app/features/contributions/pages/ActivityCard.tsx'
import { readProjectActivities } from '#app/features/contributions/contributions.functions.ts'
import { ProjectStages } from '#app/features/contributions/pages/ProjectStages.tsx'
import { readProjectEvents } from '#app/features/events/events.functions.ts'
import { EventCard, prepareEventCards } from '#app/features/events/pages/lazy-event-card.ts'
import { followForm } from '#app/features/follows/follows.forms.server.ts'
import { FollowButton } from '#app/features/follows/FollowButton.tsx'
import { ProjectDatasets } from '#app/features/opencities/ProjectDatasets.tsx'
import { readDatasets } from '#app/features/opencities/reading.functions.ts'
import { ProjectPage } from '#app/features/projects/ProjectPage.tsx'
import { readProject } from '#app/features/projects/projects.functions.ts'
import type { ProjectView } from '#app/features/projects/projects.schema.ts'
import type { SiteFrame } from '#app/features/sites/sites.schema.ts'
import { buildPageUrl, findSiteFrame, getHeadTexts, buildPageHead } from '#app/features/sites/seo.ts'
import { buildBreadcrumbs, buildConsultation } from '#app/features/sites/structured-data.ts'
import { preparePolls, QuickPoll } from '#app/features/surveys/poll/lazy-poll.ts'
import { readAnsweredPolls } from '#app/features/surveys/poll/poll.functions.ts'
import type { AnsweredPoll } from '#app/features/surveys/poll/poll.schema.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'

export const Route = createFileRoute('/_site/projects/$slug/')({
  staticData: { namespaces: ['city-data', 'contributions', 'budgets', 'events'] },
  validateSearch: (given: Record<string, unknown>): { preview?: string } =>
    typeof given['preview'] === 'string' ? { preview: given['preview'] } : {},
  loaderDeps: ({ search }) => ({ preview: search.preview }),
  loader: async ({ params, deps }) => {
    const [project, datasets, taking, budgets, { events }] = await Promise.all([
      readProject({ data: { slug: params.slug, preview: deps.preview } }),
      readDatasets({ data: { project: params.slug } }),
      readProjectActivities({ data: { slug: params.slug, preview: deps.preview } }),
      readProjectRounds({ data: { slug: params.slug, preview: deps.preview } }),
      readProjectEvents({ data: { slug: params.slug, preview: deps.preview } }),
    ])
    const polls = project.surveys.flatMap(({ open, poll }) => (open && poll ? [poll.survey] : []))
    const [answeredPolls] = await Promise.all([
      polls.length > 0 && !deps.preview ? readAnsweredPolls({ data: { project: params.slug, surveys: polls } }) : {},
      preparePolls(polls.length > 0),
      prepareBudgetCards(budgets.rounds.length > 0),
      prepareEventCards(events.length > 0),
    ])
    return { project, datasets, taking, budgets, events, answeredPolls: answeredPolls as Record<string, AnsweredPoll> }
  },
  head: ({ matches, match, loaderData }) => {
    const project = loaderData?.project
    const frame = findSiteFrame({ matches })
    if (!project || !frame) return {}
    const path = `/projects/${project.slug}`
    return buildPageHead(
      { matches, match },
      {
        title: project.title.text,
        description: project.summary.text,
        path,
        card: `project/${project.slug}`,
        type: 'article',
        publishedAt: project.publishedAt,
        hidden: project.preview || project.visibility !== 'public',
        jsonLd: import.meta.env.SSR ? describeForMachines({ match, frame, project, path }) : [],
      },
    )
  },
  server: { handlers: { POST: followForm } },
  component: Project,
})

function describeForMachines({
  match,
  frame,
  project,
  path,
}: {
  match: Parameters<typeof getHeadTexts>[0]['match']
  frame: SiteFrame
  project: ProjectView
  path: string
}) {
  const t = getHeadTexts({ match })
  const toAddress = (of: string) => buildPageUrl(frame, of, frame.language)
  const facts = { name: project.title.text, description: project.summary.text, url: toAddress(path) }
  return [
    buildConsultation(frame, {
      ...facts,
      opensAt: project.opensAt,
      closesAt: project.closesAt,
      place: project.place.text,
      picture: project.picture?.src ?? null,
    }),
    buildBreadcrumbs([
      { name: t('site.home'), url: toAddress('/') },
      { name: t('site.projects'), url: toAddress('/projects') },
      { name: facts.name, url: facts.url },
    ]),
  ]
}

const site = getRouteApi('/_site')

function Project() {
  const { project, datasets, taking, budgets, events, answeredPolls } = Route.useLoaderData()
  const frame = site.useLoaderData()
  return (
    <ProjectPage
      project={project}
      address={buildPageUrl(frame, `/projects/${project.slug}`, frame.language)}
      stages={<ProjectStages project={project.slug} stages={taking.stages} now={taking.now} />}
      activities={[
        ...taking.activities.map((activity) => ({
          slug: activity.slug,
          open: activity.state === 'open',
          closed: activity.state === 'closed',
          position: activity.position,
          href: toLocalHref(`/projects/${project.slug}/${activity.slug}`),
          card: <ActivityCard project={project.slug} activity={activity} now={taking.now} />,
        })),
        ...budgets.rounds.map((round) => ({
          slug: `budgets/${round.slug}`,
          open: round.phase === 'voting',
          closed: round.phase === 'deciding' || round.phase === 'decided',
          position: round.position,
          href: toLocalHref(`/projects/${project.slug}/budgets/${round.slug}`),
          card: <BudgetCard project={project.slug} round={round} now={budgets.now} />,
        })),
        ...events.map((event, at) => ({
          slug: `events/${event.slug}`,
          open: event.phase === 'upcoming' || event.phase === 'under-way',
          closed: event.phase === 'over' || event.phase === 'cancelled',
          // Below everything that has a place of its own, the next one first.
          position: 10_000 + at,
          href: toLocalHref(`/projects/${project.slug}/events/${event.slug}`),
          card: <EventCard project={project.slug} event={event} />,
        })),
      ]}
      renderPoll={(poll) => <QuickPoll poll={poll} answered={answeredPolls[poll.survey]} />}
      data={<ProjectDatasets project={project.slug} datasets={datasets} />}
      follow={!project.preview && !project.archived && <FollowButton project={project} />}
    />
  )
}
