import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TabLinks } from '#app/ui/admin/tabs.tsx'

export function SitesTabs() {
  const { t } = useTranslation('platform')
  return (
    <TabLinks
      label={t('sites.views')}
      links={[
        <Link key="there" to="/admin/sites" activeOptions={{ exact: true, includeSearch: false }}>
          {t('sites.there')}
        </Link>,
        <Link key="deleted" to="/admin/sites/deleted">
          {t('sites.deleted')}
        </Link>,
      ]}
    />
  )
}
