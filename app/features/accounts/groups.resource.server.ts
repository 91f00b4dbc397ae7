import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { groupShape } from './accounts.api.schema.ts'
import type { GroupRule } from './accounts.schema.ts'
import {
  addToGroup,
  createGroup,
  deleteGroup,
  type Group,
  loadGroupsById,
  listGroups,
  canEditGroup,
  removeFromGroup,
  updateGroup,
} from './groups.server.ts'
import { listPeople } from './people.list.server.ts'

/** The most links a document can carry. Larger groups are read page by page through the collection. */
const MAX_LINKED_PEOPLE = 1000

export const groupResource = implementResource(groupShape, {
  load: loadGroupsById,
  list: (ctx, { filter, page }) => listGroups(ctx, { ...filter, offset: page.offset, limit: page.limit }),
  can: ({ viewer }, group) => ({ update: canEditGroup(viewer, group) }),
  lockVersion: (group) => group.lockVersion,
  attributes: (group) => ({
    name: group.name,
    kind: group.kind,
    rule: group.rule as GroupRule | null,
    members: group.members,
  }),
  relationships: {
    hub: { id: (group) => group.hubId },
    people: {
      ids: (ctx, groups) => loadPeopleIds(ctx, groups),
      filter: (group) => ({ group: group.id }),
      add: (ctx, group, ids) => addToGroup(ctx, group, ids),
      remove: (ctx, group, ids) => removeFromGroup(ctx, group, ids),
    },
  },
  create: (ctx, { hub, ...input }) => createGroup(ctx, { ...input, hubId: hub ?? null }),
  update: (ctx, group, input, lock) => updateGroup(ctx, group, input, lock.version),
  remove: (ctx, group) => deleteGroup(ctx, group),
})

async function loadPeopleIds(ctx: Ctx, groups: readonly Group[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { id } of groups) {
    const { rows } = await listPeople(ctx, { group: id, sort: [{ by: 'login', descending: false }], offset: 0, limit: MAX_LINKED_PEOPLE })
    found.set(
      id,
      rows.map((person) => person.id),
    )
  }
  return found
}
