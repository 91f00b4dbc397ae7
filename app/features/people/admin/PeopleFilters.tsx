import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { changeProfileFilter, findProfileOption } from '#app/features/profile-answers/profile-answers.schema.ts'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { ListChoice, ListFind, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource, hubSource } from '#app/shell/admin/record-sources.ts'
import type { List } from '#app/shell/admin/use-list.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { PERSON_STATUSES, SITE_ROLES } from '#app/features/accounts/accounts.schema.ts'
import type { PeopleSearch } from '#app/features/accounts/people-search.schema.ts'

const HUBS = hubSource({ mine: true })
const GROUPS = groupSource()
const ANY = 'any'

export function PeopleFilters({ list }: { list: List<PeopleSearch> }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const hubs = useFirstRecord(HUBS).total ?? 0
  const language = useLanguage()
  const choices = useQuery(profileChoicesQuery).data?.filter(({ sensitive }) => !sensitive) ?? []
  const groups = useFirstRecord(GROUPS).total ?? 0
  return (
    <FilterBar>
      <ListFind list={list} name="q" label={t('table.search')} button={t('find')} />
      <ListChoice
        list={list}
        name="role"
        label={t('table.role')}
        any={t('table.any-role')}
        options={[...SITE_ROLES, 'participant' as const].map((value) => ({ value, label: admin(`roles.${value}`) }))}
      />
      <ListChoice
        list={list}
        name="status"
        label={t('table.status')}
        any={t('table.any-status')}
        options={PERSON_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      {hubs > 1 && <ListRecordChoice list={list} name="hub" label={t('table.hub')} any={t('table.any-hub')} source={HUBS} />}
      {groups > 0 && <ListRecordChoice list={list} name="group" label={t('table.group')} any={t('table.any-group')} source={GROUPS} />}
      {choices.map(({ key, label, options }) => (
        <SelectInput<string>
          key={key}
          name={`profile.${key}`}
          label={label}
          value={findProfileOption(list.search.profile, key) ?? ANY}
          onChange={(value) => list.change({ profile: changeProfileFilter(list.search.profile, key, value === ANY ? undefined : value) })}
          options={[
            { value: ANY, label: t('questions.any') },
            ...options.map((option) => ({
              value: option.value,
              label:
                isAgeGroup(option.value) && !option.label ? admin(`age-groups.${option.value}`) : getTranslation(option.label, language),
            })),
          ]}
        />
      ))}
    </FilterBar>
  )
}
