import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#app/shell/page-state.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'

/** The editor's title, with a page selector if there are several pages to edit, or the name of the only department. */
export function PageChoice({ hubs, current }: { hubs: readonly { id: string; title: string }[]; current: string | null }) {
  const { t } = useTranslation('editor')
  const navigate = useNavigate()
  const [only] = hubs
  const isSiteAdmin = useViewer()?.roleName === 'site_admin'
  const options = [
    ...(isSiteAdmin ? [{ value: '', label: t('site-page') }] : []),
    ...hubs.map(({ id, title }) => ({ value: id, label: title })),
  ]
  return (
    <>
      <h1>{t('title')}</h1>
      {options.length === 1 && current && <p className="meta">{only?.title}</p>}
      {options.length > 1 && (
        <SelectInput
          name="page"
          label={t('page')}
          value={current ?? ''}
          onChange={(hub) => void navigate({ to: '/admin/homepage', search: hub ? { hub } : {} })}
          options={options}
        />
      )}
    </>
  )
}
