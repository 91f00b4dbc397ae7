import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupsQuery } from '#app/features/accounts/people.queries.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'

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
  const groups = useQuery({ ...groupsQuery, enabled: manages }).data?.data ?? []
  const known = groups.map((group) => ({ value: group.id, label: group.name }))
  return (
    <SelectInput
      name="groupId"
      label={t('fields.groupId')}
      value={value ?? ''}
      onChange={(groupId) => onChange(groupId || null)}
      options={[
        ...(value === null ? [{ value: '', label: t('settings.choose-group') }] : []),
        ...(value !== null && !groups.some((group) => group.id === value) ? [{ value, label: t('settings.other-group') }] : []),
        ...known,
      ]}
      error={error}
    />
  )
}
