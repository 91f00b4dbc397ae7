import { createServerFn } from '@tanstack/react-start'
import { createInputValidator } from '#app/lib/validate.ts'
import { weightedEstimateSchema } from './weighted-estimate.schema.ts'
import { estimateWeighted } from './weighted-estimate.server.ts'

export const getWeightedEstimate = createServerFn({ method: 'POST' })
  .validator(createInputValidator(weightedEstimateSchema))
  .handler(({ context, data }) => estimateWeighted(context.ctx, data))
