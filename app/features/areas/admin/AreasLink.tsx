import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getButtonClass } from '#app/ui/button.tsx'

/** The way to the site's wards and areas. */
export function AreasLink() {
  const { t } = useTranslation('areas-admin')
  return (
    <section className="admin-panel admin-stack" aria-labelledby="areas-link">
      <h2 id="areas-link">{t('title')}</h2>
      <p>{t('about')}</p>
      <span className="row">
        <Link to="/admin/settings/areas" className={getButtonClass({ kind: 'secondary' })}>
          {t('change-all')}
        </Link>
      </span>
    </section>
  )
}
