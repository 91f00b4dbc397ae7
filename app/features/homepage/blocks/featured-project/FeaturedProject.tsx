import type { BlockProps } from '../../block-parts.tsx'

export function FeaturedProject({ block, page }: BlockProps<'featured_project'>) {
  const { project } = block.data
  return project && <div className={page.overlap ? 'wrap overlap' : 'wrap section'}>{page.renderProject(project, 'lead')}</div>
}
