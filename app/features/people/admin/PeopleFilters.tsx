import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListChoice, ListFind, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource, hubSource } from '#app/shell/admin/record-sources.ts'
import type { List } from '#app/shell/admin/use-list.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { projectTopicsQuery } from '#app/features/projects/projects.queries.ts'
import { PARTICIPATION_TIMES, PERSON_STATUSES, SITE_ROLES } from '#app/features/accounts/accounts.schema.ts'
import { PROJECT_COUNTS, type PeopleSearch } from '#app/features/accounts/people-search.schema.ts'
import { ProfileChoices } from './ProfileChoices.tsx'

const HUBS = hubSource({ mine: true })
const GROUPS = groupSource()

export function PeopleFilters({ list }: { list: List<PeopleSearch> }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const hubs = useFirstRecord(HUBS).total ?? 0
  const groups = useFirstRecord(GROUPS).total ?? 0
  const topics = useQuery(projectTopicsQuery).data ?? []
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
      <ListChoice
        list={list}
        name="projectsAtLeast"
        label={t('table.projects-at-least')}
        any={t('table.any-projects')}
        options={PROJECT_COUNTS.map((value) => ({ value, label: t('table.projects-or-more', { count: Number(value), number: value }) }))}
      />
      <ListChoice
        list={list}
        name="tookPart"
        label={t('table.took-part')}
        any={t('table.any-time')}
        options={PARTICIPATION_TIMES.map((value) => ({ value, label: t(`table.took-part-times.${value}`) }))}
      />
      {topics.length > 0 && (
        <ListChoice
          list={list}
          name="followsTopic"
          label={t('table.follows-topic')}
          any={t('table.any-topic')}
          options={topics.map(({ id, title }) => ({ value: id, label: title }))}
        />
      )}
      {groups > 0 && <ListRecordChoice list={list} name="group" label={t('table.group')} any={t('table.any-group')} source={GROUPS} />}
      <ProfileChoices filter={list.search.profile} onChange={(profile) => list.change({ profile })} />
    </FilterBar>
  )
}
