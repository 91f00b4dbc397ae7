import { implementResource } from '#app/server/api/implement.ts'
import { notificationShape } from './notifications.api.schema.ts'
import { listNotifications, markNotification, loadNotificationsById } from './notifications.server.ts'

export const notificationResource = implementResource(notificationShape, {
  changers: 'signed-in',
  load: loadNotificationsById,
  list: (ctx, { filter, sort, page }) => listNotifications(ctx, { ...filter, oldestFirst: sort[0]?.descending === false, page }),
  attributes: ({ kind, title, subject, at, read }) => ({ kind, title, subject, at, read }),
  update: (ctx, row, { read }) => (read === undefined ? Promise.resolve() : markNotification(ctx, row, read)),
})
