import { createFileRoute, getRouteApi, lazyRouteComponent } from '@tanstack/react-router'
import { ownForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readOwnContribution } from '#app/features/contributions/contributions.functions.ts'
import { OwnContributionPage } from '#app/features/contributions/pages/OwnContributionPage.tsx'
import { Journey } from '#app/features/heard/Journey.tsx'
import { readJourney } from '#app/features/heard/heard.functions.ts'
import { readOtherOpenProjects } from '#app/features/projects/projects.functions.ts'
import { buildPageHead, buildPageUrl } from '#app/features/sites/seo.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

const OwnLedger = lazyRouteComponent(() => import('#app/features/contributions/pages/OwnLedger.tsx'), 'OwnLedger')
const AfterAnswering = lazyRouteComponent(() => import('#app/features/projects/AfterAnswering.tsx'), 'AfterAnswering')

/** An author's contribution and its receipt. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/receipt')({
  staticData: { namespaces: ['contributions', 'errors', 'ledger', 'receipt'], returnedForms: ['find', 'edit', 'add', 'object'] },
  validateSearch: ({ number, sent }: Record<string, unknown>) =>
    omitUndefined({ number: readTextParam(number, 10), sent: readChoiceParam(sent, ['mail']) }),
  loaderDeps: ({ search: { number } }) => ({ number }),
  loader: async ({ params: { slug, activity }, deps: { number } }) => {
    const [page, form, others] = await Promise.all([
      readOwnContribution({ data: { project: slug, activity, number } }),
      readFormState(),
      readOtherOpenProjects({ data: { slug } }),
    ])
    if (!page.own) return { ...page, form, others, journey: '' }
    const [journey] = await Promise.all([
      readJourney({ data: number ? { id: page.own.id } : {} }),
      AfterAnswering.preload?.(),
      page.own.ledger && OwnLedger.preload?.(),
    ])
    return { ...page, form, others, journey }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: ownForm } },
  component: Page,
})

const site = getRouteApi('/_site')

function Page() {
  const { head: _, others, journey, ...page } = Route.useLoaderData()
  const frame = site.useLoaderData()
  const { activity, own } = page
  const { project } = activity
  return (
    <OwnContributionPage
      {...page}
      proof={own?.ledger && <OwnLedger activity={activity} number={own.number} ledger={own.ledger} />}
      sent={Route.useSearch().sent === 'mail'}
      onward={
        <>
          <Journey html={journey} />
          <AfterAnswering project={project} address={buildPageUrl(frame, `/projects/${project.slug}`, frame.language)} others={others} />
        </>
      }
    />
  )
}
