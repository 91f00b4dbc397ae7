import { implementResource } from '#app/server/api/implement.ts'
import { referencePopulationShape } from './reference-populations.api.schema.ts'
import { listPopulations, loadPopulations, mayEditPopulations, updatePopulation } from './reference-populations.server.ts'

export const referencePopulationResource = implementResource(referencePopulationShape, {
  load: loadPopulations,
  list: listPopulations,
  can: (ctx) => ({ update: mayEditPopulations(ctx) }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ question, source, year, licence, cells, options, areas }) => ({
    question: question.key,
    kind: question.type,
    label: question.label,
    source,
    year,
    licence,
    cells: cells.map((cell) => ({ ...cell })),
    options,
    areas,
  }),
  update: (ctx, row, input, lock) => updatePopulation(ctx, row, input, lock.version),
})
