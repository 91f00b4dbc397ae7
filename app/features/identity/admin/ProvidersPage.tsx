import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { ProviderState } from '#app/lib/vocabulary/identity.ts'
import { providersQuery } from '../identity.queries.ts'
import { AccessRequests } from './AccessRequests.tsx'

const TONES: Record<ProviderState, BadgeTone> = { draft: 'neutral', testing: 'info', active: 'ok', suspended: 'warn' }

export function ProviderStateBadge({ state, isWaiting }: { state: ProviderState; isWaiting: boolean }) {
  const { t } = useTranslation('identity-admin')
  return (
    <span className="row">
      <Badge tone={TONES[state]} hollow={state !== 'active'}>
        {t(`states.${state}`)}
      </Badge>
      {isWaiting && <Badge tone="warn">{t('waiting.badge')}</Badge>}
    </span>
  )
}

/** Providers that people sign in with, and who asks to be let in. */
export function ProvidersPage() {
  const { t } = useTranslation('identity-admin')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const providers = useSuspenseQuery(providersQuery).data.data
  return (
    <div className="admin-stack">
      <PageHeader
        title={admin('nav.sign-in')}
        meta={t('text')}
        actions={
          <Link to="/admin/sign-in/new" className={getButtonClass()}>
            {t('new')}
          </Link>
        }
      />
      <DataTable
        caption={t('list')}
        rows={providers}
        rowKey={(provider) => provider.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('none')}>{t('none-text')}</EmptyState>}
        columns={[
          {
            id: 'name',
            head: t('name'),
            names: true,
            cell: ({ id, name }) => (
              <Link to="/admin/sign-in/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          { id: 'audience', head: t('used-by'), cell: ({ audience }) => t(`audiences.${audience}`) },
          { id: 'issuer', head: t('issuer'), cell: ({ issuer }) => issuer },
          {
            id: 'state',
            head: t('state'),
            underName: true,
            cell: ({ state, waitingChange }) => <ProviderStateBadge state={state} isWaiting={waitingChange !== null} />,
          },
        ]}
      />
      <AccessRequests />
    </div>
  )
}
