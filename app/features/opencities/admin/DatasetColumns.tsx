import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { COLUMN_TYPES, type DatasetColumn } from '../opencities.schema.ts'

interface DatasetColumnsProps {
  columns: readonly DatasetColumn[]
  onChange: (columns: DatasetColumn[]) => void
}

/** For each source column: whether it is shown, its type, and its name in each of the site's languages. */
export function DatasetColumns({ columns, onChange }: DatasetColumnsProps) {
  const { t } = useTranslation('city-admin')
  const { contentLanguages: languages } = useSite()
  const changeColumn = (key: string, next: Partial<DatasetColumn>) =>
    onChange(columns.map((column) => (column.key === key ? { ...column, ...next } : column)))
  return (
    <section className="data-panel">
      <div className="data-scroll">
        <table className="admin-table">
          <caption>{t('columns.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('columns.shown')}</th>
              <th scope="col">{t('columns.source')}</th>
              <th scope="col">{t('columns.type')}</th>
              {languages.map((language) => (
                <th scope="col" key={language} lang={language} dir={getDirection(language)}>
                  {getLanguageName(language)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.key}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={t('columns.show', { name: column.key })}
                    checked={column.shown}
                    onChange={(event) => changeColumn(column.key, { shown: event.currentTarget.checked })}
                  />
                </td>
                <th scope="row">{column.key}</th>
                <td>
                  <select
                    className="input"
                    aria-label={t('columns.type-of', { name: column.key })}
                    value={column.type}
                    onChange={(event) => {
                      const type = COLUMN_TYPES.find((one) => one === event.currentTarget.value)
                      if (type) changeColumn(column.key, { type })
                    }}
                  >
                    {COLUMN_TYPES.map((type) => (
                      <option key={type} value={type}>
                        {t(`types.${type}`)}
                      </option>
                    ))}
                  </select>
                </td>
                {languages.map((language) => (
                  <td key={language}>
                    <input
                      className="input"
                      lang={language}
                      dir={getDirection(language)}
                      aria-label={t('columns.name-of', { name: column.key, language: getLanguageName(language) })}
                      placeholder={column.key}
                      maxLength={120}
                      value={column.name[language] ?? ''}
                      onChange={(event) => changeColumn(column.key, { name: { ...column.name, [language]: event.currentTarget.value } })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
