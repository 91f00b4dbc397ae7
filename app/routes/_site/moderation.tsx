import { createFileRoute } from '@tanstack/react-router'
import { readModerationPage } from '#app/features/contributions/moderation/moderation.functions.ts'
import { ModerationPage } from '#app/features/contributions/moderation/ModerationPage.tsx'
import { buildPageHead } from '#app/features/sites/seo.ts'

export const Route = createFileRoute('/_site/moderation')({
  staticData: { namespaces: ['moderation'] },
  loader: () => readModerationPage(),
  head: ({ matches, match, loaderData }) =>
    loaderData ? buildPageHead({ matches, match }, { title: loaderData.title, path: '/moderation' }) : {},
  component: Page,
})

function Page() {
  return <ModerationPage {...Route.useLoaderData()} />
}
