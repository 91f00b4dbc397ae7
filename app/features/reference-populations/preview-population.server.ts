import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { readPopulationTable } from './read-population-table.server.ts'
import type { PopulationPreview } from './reference-populations.schema.ts'
import { loadPopulations } from './reference-populations.server.ts'

/** @throws {AppError} `forbidden`, `not-found`; `invalid` if the text is no such table */
export async function previewPopulation(ctx: Ctx, input: { population: string; text: string }): Promise<PopulationPreview> {
  requirePermission(ctx, 'profile-questions.edit')
  const [population] = await loadPopulations(ctx, [input.population])
  if (!population) throw new AppError('not-found')
  return readPopulationTable(population, input.text)
}
