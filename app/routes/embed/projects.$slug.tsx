import { createFileRoute } from '@tanstack/react-router'
import { EmbeddedProject } from '#app/features/projects/EmbeddedProject.tsx'
import { readProject } from '#app/features/projects/projects.functions.ts'
import { omitUndefined, readTextParam } from '#app/lib/search-params.ts'

/** A project's card, embedded in another site. */
export const Route = createFileRoute('/embed/projects/$slug')({
  validateSearch: ({ lng }: Record<string, unknown>) => omitUndefined({ lng: readTextParam(lng, 10) }),
  loader: ({ params: { slug } }) => readProject({ data: { slug } }),
  head: ({ loaderData }) => ({ meta: [{ title: loaderData?.title.text }] }),
  component: Project,
})

function Project() {
  return <EmbeddedProject project={Route.useLoaderData()} />
}
