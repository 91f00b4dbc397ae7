import { useTranslation } from 'react-i18next'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { AuditSearch } from '../audit-search.ts'
import { AUDIT_KINDS } from '../audit.schema.ts'

interface AuditFiltersProps {
  search: AuditSearch
  change: (next: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) => void
}

export function AuditFilters({ search, change }: AuditFiltersProps) {
  const { t } = useTranslation('people')
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
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const who = new FormData(event.currentTarget).get('who')
            change({ who: typeof who === 'string' ? who.trim() : '', actor: undefined })
          }}
        >
          <SearchField key={search.who ?? ''} name="who" label={t('audit.search')} button={t('find')} defaultValue={search.who ?? ''} />
        </form>
      </search>
      <SelectInput
        name="kind"
        label={t('audit.kind')}
        value={search.kind ?? 'any'}
        onChange={(kind) => change({ kind: kind === 'any' ? undefined : kind, action: undefined })}
        options={[
          { value: 'any' as const, label: t('audit.any-kind') },
          ...AUDIT_KINDS.map((value) => ({ value, label: t(`audit.kinds.${value}`) })),
        ]}
      />
      {renderDayField('from')}
      {renderDayField('until')}
    </FilterBar>
  )
}
