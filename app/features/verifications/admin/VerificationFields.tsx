import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { VERIFICATION_LEVELS, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { eligibilityListsQuery } from '../verifications.queries.ts'

interface VerificationFieldsProps {
  rule: VerificationRule
  onChange: (rule: VerificationRule) => void
  error: string | undefined
}

const ANY_LIST = 'any'

/** Whom an activity for verified people lets in. */
export function VerificationFields({ rule, onChange, error }: VerificationFieldsProps) {
  const { t } = useTranslation('verifications-admin')
  const { t: words } = useTranslation('verifications')
  const lists = useQuery(eligibilityListsQuery).data?.data ?? []
  return (
    <>
      <SelectInput
        name="verification.level"
        label={t('rule.level')}
        value={rule.level}
        onChange={(level) => onChange({ ...rule, level })}
        options={VERIFICATION_LEVELS.map((value) => ({ value, label: words(`levels.${value}`) }))}
      />
      <SelectInput
        name="verification.list"
        label={t('rule.list')}
        value={rule.list ?? ANY_LIST}
        onChange={(list) => onChange({ ...rule, list: list === ANY_LIST ? null : list })}
        options={[{ value: ANY_LIST, label: t('rule.any') }, ...lists.map(({ id, name }) => ({ value: id, label: name }))]}
        error={error}
      />
    </>
  )
}
