import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { personRolesQuery } from '#app/features/accounts/people.queries.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Role } from '#app/lib/roles.ts'
import { Menu } from '#app/ui/admin/menu.tsx'
import { Icon } from '#app/ui/icon.tsx'

/** The viewer's role. If any role is limited to a department or project, a menu of all roles, each linking to its place. */
export function RolesMenu({ viewer }: { viewer: { id: string; roleName: Role | 'participant' } }) {
  const { t } = useTranslation('admin')
  const roles = useQuery(personRolesQuery(viewer.id)).data
  const highest = t(`roles.${viewer.roleName}`)
  const scoped = roles?.data.some((membership) => membership.relationships.hub ?? membership.relationships.project)
  if (!roles || !scoped) return highest
  return (
    <Menu
      label={t('roles-menu', { role: highest })}
      trigger={
        <>
          {highest}
          <Icon name="chevron-down" />
        </>
      }
      look={{ kind: 'plain', size: 'small' }}
      groups={[
        roles.data.map((membership) => {
          const { hub, project } = membership.relationships
          const place = findLinked(roles, hub)?.title ?? findLinked(roles, project)?.title
          const role = t(`roles.${membership.role}`)
          return {
            id: membership.id,
            label: place === undefined ? role : `${role} · ${place}`,
            href: hub ? `/admin/hubs/${hub.id}` : project ? `/admin/projects/${project.id}` : '/admin',
          }
        }),
      ]}
    />
  )
}
