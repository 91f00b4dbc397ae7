import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { categoryShape } from './categories.api.schema.ts'
import { createCategory, deleteCategory, listCategories, loadCategories, updateCategory } from './categories.server.ts'

export const categoryResource = implementResource(categoryShape, {
  load: loadCategories,
  list: listCategories,
  can: ({ viewer }, { project }) => ({ update: checkPermission(viewer, 'activities.edit', toPermissionTarget(project)).ok }),
  lockVersion: ({ activity }) => activity.lockVersion,
  attributes: ({ category, position }) => ({
    title: category.title,
    code: category.id,
    position,
    archived: category.archived ?? false,
  }),
  relationships: { activity: { id: ({ activity }) => activity.id } },
  create: createCategory,
  update: (ctx, row, input, lock) => updateCategory(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteCategory(ctx, row),
})
