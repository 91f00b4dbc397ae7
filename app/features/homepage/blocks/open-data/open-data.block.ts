import { type DatasetFigure, FIGURE_FORMS } from '#app/features/opencities/dataset-views.schema.ts'
import { choice, line, reference, text } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface OpenDataData {
  figure: DatasetFigure | null
}

/** A chart of one published dataset with source, licence and age. Title and description default to the dataset's. */
export const openData = defineBlock(
  'open_data',
  { title: line(), text: text(), datasetId: reference('dataset'), show: choice(FIGURE_FORMS) },
  { isEmpty: (_, { figure }: OpenDataData) => figure === null },
)
