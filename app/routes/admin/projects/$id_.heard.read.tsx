import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { CodingPage, type CodingSearch } from '#app/features/heard/admin/CodingPage.tsx'
import { textSourcesQuery, themesQuery } from '#app/features/heard/heard.queries.ts'
import { projectQuery } from '#app/features/projects/projects.queries.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/projects/$id_/heard/read')({
  staticData: { namespaces: ['heard-admin'] },
  validateSearch: ({ source, language, unread, view, sample }: Record<string, unknown>): CodingSearch =>
    omitUndefined({
      source: readTextParam(source, 100),
      language: readChoiceParam(language, CONTENT_LANGUAGES),
      unread: unread === true || unread === 'true' ? true : undefined,
      view: readChoiceParam(view, ['suggestions', 'agreement'] as const),
      sample: readTextParam(sample, 36),
    }),
  loader: ({ context: { queryClient }, params: { id } }) =>
    Promise.all([
      queryClient.ensureQueryData(projectQuery(id)),
      queryClient.ensureQueryData(themesQuery(id)),
      queryClient.ensureQueryData(textSourcesQuery(id)),
    ]),
  component: Read,
})

function Read() {
  const { data: project } = useSuspenseQuery(projectQuery(Route.useParams().id)).data
  const navigate = Route.useNavigate()
  return (
    <CodingPage
      project={project}
      search={Route.useSearch()}
      onSearch={({ unread, ...search }) => void navigate({ search: omitUndefined({ ...search, unread: unread || undefined }) })}
    />
  )
}
