import { createFileRoute } from '@tanstack/react-router'
import { useRef } from 'react'
import { ActivityCard } from '#app/features/contributions/pages/ActivityCard.tsx'
import { readProjectActivities } from '#app/features/contributions/contributions.functions.ts'
import { ProjectStages } from '#app/features/contributions/pages/ProjectStages.tsx'
import { readPreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { useFrame } from '#app/features/live-preview/use-preview-frame.ts'
import { useUnsavedPage } from '#app/features/live-preview/use-unsaved-page.ts'
import { ProjectDatasets } from '#app/features/opencities/ProjectDatasets.tsx'
import { readDatasets } from '#app/features/opencities/reading.functions.ts'
import { ProjectPage } from '#app/features/projects/ProjectPage.tsx'
import { readProjectPreview, readUnsavedProject } from '#app/features/projects/projects.preview.functions.ts'
import type { ProjectPreviewRequest } from '#app/features/projects/projects.preview.server.ts'
import { SiteChrome } from '#app/features/sites/SiteChrome.tsx'
import { readSiteFrame } from '#app/features/sites/sites.functions.ts'
import { setPreviewViewer } from '#app/shell/preview-viewer.ts'

/** Live preview of a project: the participants' own page with its draft of changes, framed by its editor. */
export const Route = createFileRoute('/live-preview/projects/$slug')({
  staticData: { namespaces: ['participant', 'city-data', 'contributions'], hideIntercom: true },
  validateSearch: readPreviewSearch,
  beforeLoad: ({ context, search }) => setPreviewViewer(context.queryClient, search.as ?? 'visitor'),
  loaderDeps: ({ search: { as, at, published } }) => ({ as, at, published }),
  loader: async ({ deps, params: { slug } }) => {
    const request = { slug, ...deps }
    const [frame, project, datasets, taking] = await Promise.all([
      readSiteFrame(),
      readProjectPreview({ data: request }),
      readDatasets({ data: { project: slug } }),
      readProjectActivities({ data: { slug } }),
    ])
    return { frame, project, datasets, taking, request }
  },
  head: () => ({ meta: [{ name: 'robots', content: 'noindex, nofollow' }] }),
  component: Preview,
})

const NO_TEXTS = (): never[] => []
const readUnsaved = (data: ProjectPreviewRequest & { content: Record<string, unknown> }) => readUnsavedProject({ data })

function Preview() {
  const { frame, project: saved, datasets, taking, request } = Route.useLoaderData()
  const texts = useRef(NO_TEXTS)
  const { shown, say } = useFrame(texts)
  const project = useUnsavedPage(saved, request, shown?.tokens, readUnsaved, say)
  return (
    <SiteChrome frame={frame}>
      <ProjectPage
        project={project}
        address=""
        stages={<ProjectStages project={project.slug} stages={taking.stages} now={taking.now} />}
        activities={taking.activities.map((activity) => ({
          slug: activity.slug,
          open: activity.state === 'open',
          closed: activity.state === 'closed',
          position: activity.position,
          href: `/projects/${project.slug}/${activity.slug}`,
          card: <ActivityCard project={project.slug} activity={activity} now={taking.now} />,
        }))}
        renderPoll={() => null}
        data={<ProjectDatasets project={project.slug} datasets={datasets} />}
        follow={null}
      />
    </SiteChrome>
  )
}
