import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { crowdShape } from './crowds.api.schema.ts'
import { decideCrowd, listCrowds, loadCrowds } from './crowds.server.ts'

export const crowdResource = implementResource(crowdShape, {
  load: loadCrowds,
  list: listCrowds,
  attributes: ({ number, firstAt, lastAt, decision, decidedAt, decidedByName }) => ({
    number,
    firstAt,
    lastAt,
    decision,
    decidedAt,
    decidedByName,
  }),
  relationships: {
    survey: { id: ({ surveyId }) => surveyId, alwaysVisible: true },
    activity: { id: ({ activityId }) => activityId, alwaysVisible: true },
  },
  update: async (ctx, { id }, { decision }) => {
    if (!decision)
      throw new AppError('invalid', { faults: [{ code: decision === null ? 'not-a-choice' : 'required', pointer: '/decision' }] })
    await decideCrowd(ctx, id, decision)
  },
})
