import { createServerFn } from '@tanstack/react-start'
import { createInputValidator } from '#app/lib/validate.ts'
import { previewPopulation } from './preview-population.server.ts'
import { populationTextSchema } from './reference-populations.schema.ts'

/** How a census table would be read; nothing is stored. */
export const readPopulationText = createServerFn({ method: 'POST' })
  .validator(createInputValidator(populationTextSchema))
  .handler(({ context, data }) => previewPopulation(context.ctx, data))
