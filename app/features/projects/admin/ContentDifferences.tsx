import { useTranslation } from 'react-i18next'
import { DifferenceTable } from '#app/ui/admin/difference-table.tsx'
import { findDifferingContent, type ProjectContent } from '../project-content.schema.ts'

interface ContentDifferencesProps {
  before: ProjectContent
  after: ProjectContent
  labels: { before: string; after: string }
}

/** Compares what two versions of a project say, field by field. */
export function ContentDifferences({ before, after, labels }: ContentDifferencesProps) {
  const { t } = useTranslation('admin')
  const { t: editor } = useTranslation('editor')
  const names = findDifferingContent(before, after)
  if (!names.length) return <p>{editor('compare.same')}</p>
  return (
    <div className="differences">
      <DifferenceTable
        names={names}
        labels={{ field: editor('compare.field'), ...labels }}
        nameOf={(name) => t(`fields.${name}`)}
        renderBefore={(name) => formatValue(before[name])}
        renderAfter={(name) => formatValue(after[name])}
      />
    </div>
  )
}

/** A value on one line. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'object') return Object.values(value).map(formatValue).join(' · ') || '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
