import { readFigure } from '#app/features/opencities/dataset-figures.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { OpenDataData } from './open-data.block.ts'

export const lookUpOpenData = async (ctx: Ctx, { datasetId, show }: HomeBlock<'open_data'>): Promise<OpenDataData> => ({
  figure: datasetId ? await readFigure(ctx, { id: datasetId, form: show }) : null,
})
