import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { PERSON_STATUSES, SITE_ROLES } from '../accounts.schema.ts'
import type { PeopleSearch } from '../people-search.ts'
import { groupsQuery, placesQuery } from '../people.queries.ts'

const ANY_VALUE = 'any'

interface PeopleFiltersProps {
  search: PeopleSearch
  change: (next: { [Name in keyof PeopleSearch]?: PeopleSearch[Name] | undefined }) => void
}

export function PeopleFilters({ search, change }: PeopleFiltersProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const hubs = useSuspenseQuery(placesQuery).data.data
  const groups = useSuspenseQuery(groupsQuery).data.data
  const renderSelect = <Name extends 'role' | 'status' | 'hub' | 'group'>(
    name: Name,
    label: string,
    any: string,
    options: { value: NonNullable<PeopleSearch[Name]>; label: string }[],
  ) => (
    <SelectInput<string>
      name={name}
      label={label}
      value={search[name] ?? ANY_VALUE}
      onChange={(value) => change({ [name]: value === ANY_VALUE ? undefined : value })}
      options={[{ value: ANY_VALUE, label: any }, ...options]}
    />
  )
  return (
    <FilterBar>
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const q = new FormData(event.currentTarget).get('q')
            change({ q: typeof q === 'string' ? q.trim() : '' })
          }}
        >
          <SearchField key={search.q ?? ''} name="q" label={t('table.search')} button={t('find')} defaultValue={search.q ?? ''} />
        </form>
      </search>
      {renderSelect('role', t('table.role'), t('table.any-role'), [
        ...SITE_ROLES.map((value) => ({ value, label: admin(`roles.${value}`) })),
        { value: 'participant', label: admin('roles.participant') },
      ])}
      {renderSelect(
        'status',
        t('table.status'),
        t('table.any-status'),
        PERSON_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      )}
      {hubs.length > 1 &&
        renderSelect(
          'hub',
          t('table.hub'),
          t('table.any-hub'),
          hubs.map((hub) => ({ value: hub.id, label: hub.title })),
        )}
      {groups.length > 0 &&
        renderSelect(
          'group',
          t('table.group'),
          t('table.any-group'),
          groups.map((group) => ({ value: group.id, label: group.name })),
        )}
    </FilterBar>
  )
}
