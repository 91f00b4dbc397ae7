import { createFileRoute } from '@tanstack/react-router'
import { ContributionPage, GonePage } from '#app/features/contributions/pages/ContributionPage.tsx'
import { reactForm } from '#app/features/contributions/contributions.forms.server.ts'
import { readContribution } from '#app/features/contributions/contributions.functions.ts'
import { buildPageHead } from '#app/features/sites/seo.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import { readFormState } from '#app/shell/form-state.functions.ts'

/** One contribution. */
export const Route = createFileRoute('/_site/projects/$slug/$activity/$number/')({
  staticData: { namespaces: ['contributions', 'errors'] },
  validateSearch: ({ sent, translated }: Record<string, unknown>) =>
    omitUndefined({ sent: readChoiceParam(sent, ['reply', 'held']), translated: readTextParam(translated, 2000) }),
  loaderDeps: ({ search: { translated } }) => ({ translated }),
  loader: async ({ params: { slug, activity, number }, deps: { translated } }) => {
    const [page, form] = await Promise.all([readContribution({ data: { project: slug, activity, number, translated } }), readFormState()])
    return { ...page, form }
  },
  head: ({ matches, match, loaderData }) => (loaderData ? buildPageHead({ matches, match }, loaderData.head) : {}),
  server: { handlers: { POST: reactForm } },
  component: Page,
})

function Page() {
  const { activity, contribution, gone, form } = Route.useLoaderData()
  const { sent } = Route.useSearch()
  if (gone) return <GonePage activity={activity} gone={gone} />
  return contribution && <ContributionPage activity={activity} contribution={contribution} form={form} sent={sent} />
}
