import { implementResource } from '#app/server/api/implement.ts'
import { listJobTurns } from './job-turns.server.ts'
import { jobTurnShape, siteFiguresShape } from './platform.api.schema.ts'
import { listFailures, listSiteFigures } from './site-figures.server.ts'

export const jobTurnResource = implementResource(jobTurnShape, {
  list: async (ctx, { page }) => {
    const all = await listJobTurns(ctx)
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  attributes: ({ id, state, everySeconds, doneAt, tookMs, failedAt, failures }) => ({
    name: id,
    state,
    everySeconds,
    doneAt,
    tookMs,
    failedAt,
    failures,
  }),
})

export const siteFiguresResource = implementResource(siteFiguresShape, {
  list: listSiteFigures,
  attributes: (row, ctx) => ({
    name: row.name,
    openProjects: row.openProjects,
    participants: row.participants,
    responses: row.responses,
    aware: row.aware,
    informed: row.informed,
    engaged: row.engaged,
    connections: row.connections,
    failing: listFailures(ctx, row),
    countedAt: row.countedAt,
  }),
  relationships: { site: { id: ({ id }) => id, alwaysVisible: true } },
})
