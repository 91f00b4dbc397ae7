import { implementResource } from '#app/server/api/implement.ts'
import { projectAdmissionShape, projectMemberShape } from './members.api.schema.ts'
import { addProjectMember, admitGroup, listProjectMembers, loadProjectMembersById, removeProjectMember } from './members.server.ts'

export const projectMemberResource = implementResource(projectMemberShape, {
  load: loadProjectMembersById,
  list: (ctx, { filter, page }) => listProjectMembers(ctx, { ...filter, offset: page.offset, limit: page.limit }),
  attributes: ({ email, name, createdAt }) => ({ email, name, createdAt }),
  relationships: {
    project: { id: ({ projectId }) => projectId },
    user: { id: ({ userId, name }) => (name === null ? null : userId) },
  },
  create: (ctx, { project, user, email }) => addProjectMember(ctx, { projectId: project, userId: user ?? undefined, email }),
  remove: (ctx, row) => removeProjectMember(ctx, row),
})

export const projectAdmissionResource = implementResource(projectAdmissionShape, {
  create: (ctx, { project, group }) => admitGroup(ctx, { projectId: project, groupId: group }),
  attributes: ({ admitted, already }) => ({ admitted, already }),
  relationships: { project: { id: ({ projectId }) => projectId }, group: { id: ({ groupId }) => groupId } },
})
