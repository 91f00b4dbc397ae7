import { createFileRoute } from '@tanstack/react-router'
import { readSearch } from '#app/features/search/search.functions.ts'
import { readSiteSearch } from '#app/features/search/search.schema.ts'
import { SearchPage } from '#app/features/search/SearchPage.tsx'
import { getHeadTexts, buildPageHead } from '#app/features/sites/seo.ts'

export const Route = createFileRoute('/_site/search')({
  validateSearch: readSiteSearch,
  loaderDeps: ({ search }) => readSiteSearch({ ...search }),
  loader: ({ deps }) => readSearch({ data: deps }),
  head: ({ matches, match }) =>
    buildPageHead({ matches, match }, { title: getHeadTexts({ match })('search.title'), path: '/search', hidden: true }),
  component: Search,
})

function Search() {
  return <SearchPage result={Route.useLoaderData()} />
}
