import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { LostArea } from '../areas.schema.ts'
import type { AreaColumns, AreaFilePreview, FileArea } from '../files/area-files.schema.ts'
import { OutlineMap } from './OutlineMap.tsx'

interface AreaPreviewProps {
  /** Of the file. */
  name: string
  preview: AreaFilePreview
  missing: 'keep' | 'remove'
  onColumns: (columns: AreaColumns) => void
  onMissing: (missing: 'keep' | 'remove') => void
}

/** What a file of areas holds and what it would change, before anything is stored. */
export function AreaPreview({ name, preview, missing, onColumns, onMissing }: AreaPreviewProps) {
  const { t } = useTranslation('areas-admin')
  const format = useFormat()
  const count = preview.areas.length
  return (
    <section className="admin-stack" aria-labelledby="area-preview">
      <h3 id="area-preview">{t('file.preview', { file: name })}</h3>
      <p>
        {t(`file.format.${preview.format}`)} · {t('file.found', { count, number: format.number(count) })}
      </p>
      {preview.isProjectionGuessed && (
        <Notice kind="warning" title={t('file.guessed')}>
          {t('file.guessed-text')}
        </Notice>
      )}
      {preview.farKm !== null && (
        <Notice kind="warning" title={t('file.far', { km: format.number(preview.farKm) })}>
          {t('file.far-text')}
        </Notice>
      )}
      {preview.dataset !== null && (
        <Notice kind="warning" title={t('file.dataset', { name: preview.dataset })}>
          {t('file.dataset-text')}
        </Notice>
      )}
      <OutlineMap map={preview.map} label={t('file.map')} />
      <ColumnChoice preview={preview} onChange={onColumns} />
      <AreaTable areas={preview.areas} />
      {preview.missing.length > 0 && <MissingAreas areas={preview.missing} choice={missing} onChange={onMissing} />}
    </section>
  )
}

const NO_COLUMN = ''

/** Which column holds the names in each language, and the codes. */
function ColumnChoice({ preview: { columns, chosen }, onChange }: { preview: AreaFilePreview; onChange: (columns: AreaColumns) => void }) {
  const { t } = useTranslation('areas-admin')
  const { contentLanguages: languages, locale } = useSite()
  const options = columns.map(({ name, example }) => ({
    value: name,
    label: example ? t('file.example', { column: name, example: example.slice(0, 40) }) : name,
  }))
  const none = { value: NO_COLUMN, label: t('file.no-column') }
  const choose = (language: ContentLanguage, column: string) => {
    const { [language]: _, ...others } = chosen.names
    onChange({ ...chosen, names: column === NO_COLUMN ? others : { ...others, [language]: column } })
  }
  return (
    <fieldset className="admin-form">
      <legend>{t('file.columns')}</legend>
      {languages.map((language) => (
        <SelectInput
          key={language}
          name={`names.${language}`}
          label={t('file.name-in', { language: getLanguageName(language) })}
          value={chosen.names[language] ?? NO_COLUMN}
          options={[none, ...options]}
          onChange={(column) => choose(language, column)}
          error={language === locale && !chosen.names[language] ? t('file.no-names', { language: getLanguageName(language) }) : undefined}
        />
      ))}
      <SelectInput
        name="key"
        label={t('key')}
        hint={t('key-hint')}
        value={chosen.key ?? NO_COLUMN}
        options={[none, ...options]}
        onChange={(key) => onChange({ names: chosen.names, ...(key !== NO_COLUMN && { key }) })}
      />
    </fieldset>
  )
}

function AreaTable({ areas }: { areas: readonly FileArea[] }) {
  const { t } = useTranslation('areas-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { contentLanguages: languages, locale } = useSite()
  const others = languages.filter((language) => language !== locale)
  const describe = ({ fault, change, was, parts, isCrossing }: FileArea): string =>
    [
      ...(fault ? [t(`file.faults.${fault}`)] : []),
      ...(fault && was ? [t('file.kept')] : []),
      ...(change ? [t(`file.changes.${change}`)] : []),
      ...(was ? [t('file.was', { name: was })] : []),
      ...(isCrossing ? [t('file.crossing')] : []),
      ...(parts > 1 ? [t('file.parts', { count: parts, number: format.number(parts) })] : []),
    ].join(' · ')
  return (
    <DataTable
      caption={t('file.change')}
      columns={[
        { id: 'name', head: t('name'), names: true, cell: ({ name, number }) => name || `– (${format.number(number)})` },
        ...others.map((language) => ({
          id: language,
          head: getLanguageName(language),
          secondary: true,
          underName: true as const,
          cell: ({ names }: FileArea) => (
            <span lang={language} dir={getDirection(language)}>
              {names[language] ?? ''}
            </span>
          ),
        })),
        { id: 'key', head: t('key'), secondary: true, cell: ({ key }) => key },
        { id: 'change', head: t('file.change'), cell: describe },
      ]}
      rows={areas}
      rowKey={({ number }) => String(number)}
      loadingLabel={common('loading')}
      empty={<EmptyState title={t('none')} />}
    />
  )
}

interface MissingAreasProps {
  areas: readonly LostArea[]
  choice: 'keep' | 'remove'
  onChange: (choice: 'keep' | 'remove') => void
}

/** Areas of the site that are not in the file, with what uses them. */
function MissingAreas({ areas, choice, onChange }: MissingAreasProps) {
  const { t } = useTranslation('areas-admin')
  const { t: city } = useTranslation('city-admin')
  const format = useFormat()
  const describe = ({ projects, people, campaigns }: LostArea) =>
    [
      ...(projects.length ? [city('areas.lost-projects', { count: projects.length, names: format.list(projects) })] : []),
      ...(campaigns.length ? [city('areas.lost-campaigns', { count: campaigns.length, names: format.list(campaigns) })] : []),
      ...(people ? [city('areas.lost-people', { count: people, number: format.number(people) })] : []),
    ].join(' ') || t('file.unused')
  return (
    <Notice kind="warning" title={t('file.missing-title', { count: areas.length, number: format.number(areas.length) })}>
      <div className="admin-stack">
        <ul className="admin-list">
          {areas.map((area) => (
            <li key={area.id}>
              <span>
                <strong>{area.name}</strong> {describe(area)}
              </span>
            </li>
          ))}
        </ul>
        <SelectInput
          name="missing"
          label={t('file.missing-label')}
          hint={t('file.missing-hint')}
          value={choice}
          options={[
            { value: 'keep', label: t('file.missing-keep') },
            { value: 'remove', label: t('file.missing-remove') },
          ]}
          onChange={onChange}
        />
      </div>
    </Notice>
  )
}
