import type { datasetQuery } from '../connectors.queries.ts'
import type { Boundaries, DatasetChart, DatasetColumn, RowFilter } from '../opencities.schema.ts'
import type { Translated } from '#app/lib/translated.ts'

type Document = Awaited<ReturnType<NonNullable<ReturnType<typeof datasetQuery>['queryFn']>>>

/** The fields that the dataset editor changes. */
export interface DatasetDraft {
  titleTranslations: Translated
  descriptionTranslations: Translated
  publisher: string
  licence: string
  columns: DatasetColumn[]
  rowFilter: RowFilter | null
  chart: DatasetChart | null
  boundaries: Boundaries | null
  published: boolean
  project: string | null
}

export const toDatasetDraft = ({ data }: Pick<Document, 'data'>): DatasetDraft => ({
  titleTranslations: data.titleTranslations ?? {},
  descriptionTranslations: data.descriptionTranslations ?? {},
  publisher: data.publisher,
  licence: data.licence,
  columns: data.columns,
  rowFilter: data.rowFilter,
  chart: data.chart,
  boundaries: data.boundaries,
  published: data.published,
  project: data.relationships.project?.id ?? null,
})
