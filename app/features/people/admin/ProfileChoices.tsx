import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { changeProfileFilter, findProfileOption } from '#app/features/profile-answers/profile-answers.schema.ts'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'

const ANY = 'any'

interface ProfileChoicesProps {
  /** As `filter[profile]` has it. */
  filter: string | undefined
  onChange: (filter: string | undefined) => void
}

/** What people said about themselves: one option of each question that is not sensitive. */
export function ProfileChoices({ filter, onChange }: ProfileChoicesProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const language = useLanguage()
  const choices = useQuery(profileChoicesQuery).data?.filter(({ sensitive }) => !sensitive) ?? []
  return choices.map(({ key, label, options }) => (
    <SelectInput<string>
      key={key}
      name={`profile.${key}`}
      label={label}
      value={findProfileOption(filter, key) ?? ANY}
      onChange={(value) => onChange(changeProfileFilter(filter, key, value === ANY ? undefined : value))}
      options={[
        { value: ANY, label: t('questions.any') },
        ...options.map((option) => ({
          value: option.value,
          label: isAgeGroup(option.value) && !option.label ? admin(`age-groups.${option.value}`) : getTranslation(option.label, language),
        })),
      ]}
    />
  ))
}
