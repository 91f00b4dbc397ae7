import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { moderationRulesQuery } from '../contributions.queries.ts'

interface RuleInputProps {
  name?: string
  /** Code of the chosen rule; empty for none. */
  value: string
  onChange: (code: string) => void
}

/** The rule that a decision is made by, explained once it is chosen. */
export function RuleInput({ name = 'rule', value, onChange }: RuleInputProps) {
  const { t } = useTranslation('moderation-admin')
  const rules = useQuery(moderationRulesQuery).data?.data.filter(({ archived }) => !archived) ?? []
  return (
    <SelectInput
      name={name}
      label={t('decide.rule')}
      hint={rules.find(({ code }) => code === value)?.explanation}
      value={value}
      onChange={onChange}
      options={[{ value: '', label: t('decide.choose') }, ...rules.map(({ code, label }) => ({ value: code, label }))]}
    />
  )
}
