import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** The screens of moderation, and the list of everything that was sent; not the one that is shown. */
export function ModerationLinks() {
  const { t } = useTranslation('contributions-admin')
  return (
    <nav aria-label={t('waiting.screens')}>
      <ul className="row">
        <li>
          <Link to="/admin/contributions">{t('queue.title')}</Link>
        </li>
        <li>
          <Link to="/admin/moderation/waiting">{t('waiting.title')}</Link>
        </li>
        <li>
          <Link to="/admin/moderation">{t('waiting.cases')}</Link>
        </li>
        <li>
          <Link to="/admin/contributions/unusual">{t('unusual.title')}</Link>
        </li>
        <li>
          <Link to="/admin/moderation/rules">{t('waiting.rules')}</Link>
        </li>
      </ul>
    </nav>
  )
}
