import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListChoice, ListFind } from '#app/shell/admin/list-filters.tsx'
import type { List } from '#app/shell/admin/use-list.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { PERSON_STATUSES, SITE_ROLES } from '#app/features/accounts/accounts.schema.ts'
import type { PeopleSearch } from '#app/features/accounts/people-search.schema.ts'
import { groupsQuery, placesQuery } from '#app/features/accounts/people.queries.ts'

export function PeopleFilters({ list }: { list: List<PeopleSearch> }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const hubs = useSuspenseQuery(placesQuery).data.data
  const groups = useSuspenseQuery(groupsQuery).data.data
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
      {hubs.length > 1 && (
        <ListChoice
          list={list}
          name="hub"
          label={t('table.hub')}
          any={t('table.any-hub')}
          options={hubs.map((hub) => ({ value: hub.id, label: hub.title }))}
        />
      )}
      {groups.length > 0 && (
        <ListChoice
          list={list}
          name="group"
          label={t('table.group')}
          any={t('table.any-group')}
          options={groups.map((group) => ({ value: group.id, label: group.name }))}
        />
      )}
    </FilterBar>
  )
}
