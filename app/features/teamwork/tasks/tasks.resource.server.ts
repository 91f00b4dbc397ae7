import { implementResource } from '#app/server/api/implement.ts'
import { buildTargetPath } from '../targets.schema.ts'
import { taskShape } from './tasks.api.schema.ts'
import { createTask, isOverdue, listTasks, loadTasks, removeTask, updateTask } from './tasks.server.ts'

export const taskResource = implementResource(taskShape, {
  load: loadTasks,
  list: listTasks,
  can: () => ({ update: true }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: (row, ctx) => ({
    targetKind: row.targetKind,
    targetId: row.targetId,
    targetTitle: row.targetTitle,
    targetPath: buildTargetPath({ kind: row.targetKind, id: row.targetId }, row.projectId),
    title: row.title,
    ownerId: row.ownerId,
    ownerName: row.owner,
    dueOn: row.dueOn,
    isDone: row.doneAt !== null,
    doneAt: row.doneAt,
    doneBy: row.finisher,
    isOverdue: isOverdue(ctx, row),
    createdAt: row.createdAt,
    createdBy: row.maker,
  }),
  create: createTask,
  update: (ctx, row, input, lock) => updateTask(ctx, row, input, lock.version),
  remove: removeTask,
})
