import { createFileRoute } from '@tanstack/react-router'
import { HubListPage } from '#app/features/hubs/HubPage.tsx'
import { readHubs } from '#app/features/hubs/hubs.functions.ts'
import { getHeadTexts, buildPageHead } from '#app/features/sites/seo.ts'

export const Route = createFileRoute('/_site/hubs/')({
  loader: () => readHubs(),
  head: ({ matches, match }) => {
    const t = getHeadTexts({ match })
    return buildPageHead({ matches, match }, { title: t('hubs.title'), description: t('hubs.lead'), path: '/hubs' })
  },
  component: Hubs,
})

function Hubs() {
  return <HubListPage hubs={Route.useLoaderData()} />
}
