import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft, StoredVersion } from '#app/shell/admin/drafts/draft.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { SettingName } from '../../kinds/sections.ts'
import { type ActivityContent, getContentValue, listDifferences } from '../../record/activity-content.schema.ts'
import type { StageDocument } from '../EditStage.tsx'
import { useSettingWords } from './use-setting-words.ts'

interface ChangesOfOthersProps {
  draft: Pick<Draft<ActivityContent>, 'base' | 'conflict' | 'merged'>
  stages: readonly StageDocument[]
  /** Both versions of what two people changed, to choose from. */
  choice: ReactNode
}

/** Lists what another person saved while this page was open: who, when, and the new value of each setting. */
export function ChangesOfOthers({ draft, stages, choice }: ChangesOfOthersProps) {
  const { t } = useTranslation('contributions-admin')
  const { conflict, merged, base } = draft
  // Shown until it is dismissed, and again after another person's next change.
  const [read, setRead] = useState<StoredVersion<ActivityContent>>()
  if (conflict)
    return (
      <>
        <ChangedSettings before={base.content} version={conflict} stages={stages} isConflict />
        {choice}
      </>
    )
  if (!merged || merged.version === read) return null
  return (
    <ChangedSettings before={merged.before} version={merged.version} stages={stages}>
      <Button kind="secondary" size="small" onClick={() => setRead(merged.version)}>
        {t('activity.others.dismiss')}
      </Button>
    </ChangedSettings>
  )
}

interface ChangedSettingsProps {
  before: ActivityContent
  version: StoredVersion<ActivityContent>
  stages: readonly StageDocument[]
  isConflict?: boolean
  children?: ReactNode
}

function ChangedSettings({ before, version, stages, isConflict = false, children }: ChangedSettingsProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const { nameSetting, describeValue } = useSettingWords(stages)
  const { savedBy, savedAt, content } = version
  const names = listDifferences(before, content) as SettingName[]
  const when = savedAt ? format.dateTime(savedAt) : ''
  return (
    <Notice
      kind={isConflict ? 'warning' : 'success'}
      title={savedBy ? t('activity.others.who', { name: savedBy, when }) : t('activity.others.someone', { when })}
    >
      <ul>
        {names.map((name) => (
          <li key={name}>
            {t('activity.others.changed', { setting: nameSetting(name), value: describeValue(name, getContentValue(content, name)) })}
          </li>
        ))}
      </ul>
      <p>{t(isConflict ? 'activity.others.both' : 'activity.others.kept')}</p>
      {children}
    </Notice>
  )
}
