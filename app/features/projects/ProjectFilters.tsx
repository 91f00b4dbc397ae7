import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { FilterDetails } from '#app/ui/filter-details.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Select } from '#app/ui/select.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { type FacetView, PHASES, PROJECT_SORTS, type ProjectListView, type ProjectSearch } from './projects.schema.ts'

/** Search, filters and sorting as one form that works without JavaScript. */
export function ProjectFilters({ list }: { list: ProjectListView }) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { search } = list
  const formatCounted = (label: string, count: number) => t('projects.filter.counted', { label, number: format.number(count) })
  const toOptions = (facets: readonly FacetView[]) =>
    facets.map((facet) => ({ value: facet.slug, label: formatCounted(facet.title.text, facet.count) }))
  const all = { value: '', label: t('projects.filter.all') }
  const used = [search.status, search.topic, search.hub, search.area, search.sort].filter(Boolean).length
  return (
    <search>
      <form className="project-filters" method="get" action={toLocalHref('/projects')} key={JSON.stringify(search)}>
        <SearchField
          name="q"
          label={t('projects.filter.search')}
          placeholder={t('projects.filter.placeholder')}
          button={t('site.search')}
          defaultValue={search.q}
        />
        <FilterDetails
          label={used ? t('projects.filter.more-used', { count: used, number: format.number(used) }) : t('projects.filter.more')}
        >
          <Select
            name="status"
            label={t('projects.filter.status')}
            options={[all, ...PHASES.map((phase) => ({ value: phase, label: formatCounted(t(`phases.${phase}`), list.phases[phase]) }))]}
            defaultValue={search.status ?? ''}
          />
          <Select
            name="topic"
            label={t('projects.filter.topic')}
            options={[all, ...toOptions(list.topics)]}
            defaultValue={search.topic ?? ''}
          />
          <Select name="hub" label={t('projects.filter.hub')} options={[all, ...toOptions(list.hubs)]} defaultValue={search.hub ?? ''} />
          {list.areas.length > 0 && (
            <Select
              name="area"
              label={t('projects.filter.area')}
              options={[all, ...toOptions(list.areas)]}
              defaultValue={search.area ?? ''}
            />
          )}
          <Select
            name="sort"
            label={t('projects.filter.sort')}
            options={[
              { value: '', label: t(search.q ? 'projects.sort.best' : 'projects.sort.closing') },
              ...PROJECT_SORTS.filter((sort) => search.q ?? sort !== 'closing').map((sort) => ({
                value: sort,
                label: t(`projects.sort.${sort}`),
              })),
            ]}
            defaultValue={search.sort === 'closing' && !search.q ? '' : (search.sort ?? '')}
          />
          <Button type="submit" kind="secondary">
            {t('projects.filter.apply')}
          </Button>
        </FilterDetails>
      </form>
    </search>
  )
}

/** The active filters, each with a link that removes it. */
export function FilterChips({ list }: { list: ProjectListView }) {
  const { t } = useTranslation('participant')
  const { search } = list
  const removeFilter = (name: keyof ProjectSearch): ProjectSearch => {
    const { [name]: _, page: __, ...rest } = search
    return rest
  }
  const findTitle = (facets: readonly FacetView[], slug: string) => facets.find((facet) => facet.slug === slug)?.title.text ?? slug
  const chips: { name: keyof ProjectSearch; label: string }[] = [
    ...(search.q ? [{ name: 'q' as const, label: t('projects.filter.words', { words: search.q.trim() }) }] : []),
    ...(search.status ? [{ name: 'status' as const, label: t(`phases.${search.status}`) }] : []),
    ...(search.topic ? [{ name: 'topic' as const, label: findTitle(list.topics, search.topic) }] : []),
    ...(search.hub ? [{ name: 'hub' as const, label: findTitle(list.hubs, search.hub) }] : []),
    ...(search.area ? [{ name: 'area' as const, label: findTitle(list.areas, search.area) }] : []),
  ]
  if (chips.length === 0) return null
  return (
    <ul className="chips" aria-label={t('projects.filter.active')}>
      {chips.map(({ name, label }) => (
        <li key={name}>
          <Link to="/projects" search={removeFilter(name)} className="chip">
            {label}
            <span className="visually-hidden"> {t('projects.filter.remove')}</span>
            <Icon name="close" />
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link to="/projects" className="chip chip-plain">
            {t('projects.filter.clear')}
          </Link>
        </li>
      )}
    </ul>
  )
}
