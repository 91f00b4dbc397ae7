import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#app/shell/page-state.tsx'
import { TabLinks } from '#app/ui/admin/tabs.tsx'

/** Campaigns and, for site administrators, every single text message. */
export function SmsTabs() {
  const { t } = useTranslation('sms')
  if (useViewer()?.roleName !== 'site_admin') return null
  return (
    <TabLinks
      label={t('tabs')}
      links={[
        <Link key="campaigns" to="/admin/campaigns" activeOptions={{ exact: true, includeSearch: false }}>
          {t('campaigns.title')}
        </Link>,
        <Link key="messages" to="/admin/campaigns/messages">
          {t('messages.title')}
        </Link>,
      ]}
    />
  )
}
