import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SelectInput, TextAreaInput } from '#app/ui/admin/inputs.tsx'
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

interface RuleAndReasonProps {
  /** Where more than one form is on the page. */
  prefix?: string
  rule: string
  onRule: (code: string) => void
  reason: string
  onReason: (reason: string) => void
  error?: string | undefined
}

/** What a decision that people are told of rests on: a rule, and why in one's own words. */
export function RuleAndReason({ prefix = '', rule, onRule, reason, onReason, error }: RuleAndReasonProps) {
  const { t } = useTranslation('contributions-admin')
  return (
    <>
      <RuleInput name={`${prefix}rule`} value={rule} onChange={onRule} />
      <TextAreaInput
        name={`${prefix}reason`}
        label={t('queue.reason')}
        hint={t('queue.reason-hint')}
        value={reason}
        onChange={onReason}
        rows={4}
        error={error}
        required
      />
    </>
  )
}
