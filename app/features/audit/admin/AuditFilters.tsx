import { useTranslation } from 'react-i18next'
import { ListChoice, ListFind } from '#app/shell/admin/list-filters.tsx'
import type { List } from '#app/shell/admin/use-list.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import type { AuditSearch } from '../audit-search.ts'
import { AUDIT_KINDS } from '../audit.schema.ts'

export function AuditFilters({ list }: { list: List<AuditSearch> }) {
  const { t } = useTranslation('people')
  const { search, change } = list
  const renderDayField = (name: 'from' | 'until') => (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {t(`audit.${name}`)}
      </label>
      <input
        key={search[name] ?? ''}
        id={name}
        type="date"
        className="input"
        defaultValue={search[name] ?? ''}
        onBlur={({ currentTarget: { value } }) => value !== (search[name] ?? '') && change({ [name]: value })}
      />
    </div>
  )
  return (
    <FilterBar>
      <ListFind list={list} name="who" label={t('audit.search')} button={t('find')} also={{ actor: undefined }} />
      <ListChoice
        list={list}
        name="kind"
        label={t('audit.kind')}
        any={t('audit.any-kind')}
        options={AUDIT_KINDS.map((value) => ({ value, label: t(`audit.kinds.${value}`) }))}
        also={{ action: undefined }}
      />
      {renderDayField('from')}
      {renderDayField('until')}
    </FilterBar>
  )
}
