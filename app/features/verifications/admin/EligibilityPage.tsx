import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { CodeBatches } from './CodeBatches.tsx'
import { EligibilityLists } from './EligibilityLists.tsx'
import { PostcodeSettings } from './PostcodeSettings.tsx'

/** The ways in which people may show that they may take part in activities for verified people. */
export function EligibilityPage() {
  const { t } = useTranslation('verifications-admin')
  const { t: admin } = useTranslation('admin')
  return (
    <div className="admin-stack">
      <PageHeader title={t('title')} meta={<Link to="/admin/people">{admin('nav.people')}</Link>} />
      <EligibilityLists />
      <CodeBatches />
      <PostcodeSettings />
      <section className="admin-stack" aria-labelledby="other-ways">
        <h2 id="other-ways">{t('others.title')}</h2>
        <p>{t('others.text')}</p>
        <p>
          {t('others.provider')} <Link to="/admin/sign-in">{t('others.provider-link')}</Link>
        </p>
      </section>
    </div>
  )
}
