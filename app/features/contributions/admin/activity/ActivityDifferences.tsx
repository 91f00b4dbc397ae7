import { useTranslation } from 'react-i18next'
import { DifferenceTable } from '#app/ui/admin/difference-table.tsx'
import type { SettingName } from '../../kinds/sections.ts'
import { type ActivityContent, getContentValue, listDifferences } from '../../record/activity-content.schema.ts'
import type { StageDocument } from '../EditStage.tsx'
import { useSettingWords } from './use-setting-words.ts'

interface ActivityDifferencesProps {
  before: ActivityContent
  after: ActivityContent
  labels: { before: string; after: string }
  stages: readonly StageDocument[]
}

/** Compares two versions of an activity, setting by setting. */
export function ActivityDifferences({ before, after, labels, stages }: ActivityDifferencesProps) {
  const { t } = useTranslation('editor')
  const { nameSetting, describeValue } = useSettingWords(stages)
  const names = listDifferences(before, after) as SettingName[]
  if (names.length === 0) return <p>{t('compare.same')}</p>
  return (
    <div className="differences">
      <DifferenceTable
        names={names}
        labels={{ field: t('compare.field'), ...labels }}
        nameOf={nameSetting}
        renderBefore={(name) => describeValue(name, getContentValue(before, name))}
        renderAfter={(name) => describeValue(name, getContentValue(after, name))}
      />
    </div>
  )
}
