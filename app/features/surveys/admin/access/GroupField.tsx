import { useTranslation } from 'react-i18next'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { groupSource } from '#app/shell/admin/record-sources.ts'

const GROUPS = groupSource()

interface GroupFieldProps {
  value: string | null
  onChange: (groupId: string | null) => void
  /** Whether the viewer manages people, and so can list their groups. */
  manages: boolean
  error: string | undefined
}

/** The group whose people may answer. A group that the viewer cannot list stays selected. */
export function GroupField({ value, onChange, manages, error }: GroupFieldProps) {
  const { t } = useTranslation('survey-admin')
  return (
    <RecordChoice
      name="groupId"
      label={t('fields.groupId')}
      source={GROUPS}
      value={value}
      onChange={onChange}
      unknown={t('settings.other-group')}
      disabled={!manages}
      error={error}
    />
  )
}
