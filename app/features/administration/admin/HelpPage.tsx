import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import type { HelpScreen } from '../help-screens.ts'

/** Names of screens in the navigation that differ from their address. */
const LABELS = { campaigns: 'texts' } as const

/** What a screen is for, how to start and what is good to know. */
export function HelpPage({ screen }: { screen: HelpScreen }) {
  const { t } = useTranslation('help')
  const { t: admin } = useTranslation('admin')
  const label = screen === 'campaigns' ? LABELS[screen] : screen
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('title', { screen: admin(`nav.${label}`) })}
        meta={<Link to={screen === 'dashboard' ? '/admin' : `/admin/${screen}`}>{t('open')}</Link>}
      />
      {(['about', 'start', 'know'] as const).map((part) => (
        <section key={part} className="admin-panel">
          <h2>{t(part)}</h2>
          <p>{t(`screens.${screen}.${part}`)}</p>
        </section>
      ))}
    </div>
  )
}
