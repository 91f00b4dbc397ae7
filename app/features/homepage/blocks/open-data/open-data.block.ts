import { type DatasetFigure, FIGURE_FORMS } from '#app/features/opencities/dataset-views.schema.ts'
import { choice, line, reference, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface OpenDataData {
  figure: DatasetFigure | null
}

/** One published dataset, drawn, with its source, licence and age. Its own title and description stand in where the block has no words. */
export const openData = defineBlock(
  'open_data',
  { title: line(), text: text(), datasetId: reference('dataset'), show: choice(FIGURE_FORMS) },
  { isEmpty: (_, { figure }: OpenDataData) => figure === null },
)
