import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProviderState } from '#app/lib/vocabulary/identity.ts'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { providerQuery, PROVIDERS_KEY } from '../identity.queries.ts'
import { CERTIFICATE_REMINDER_DAYS } from '../identity.schema.ts'
import type { Provider } from './provider.ts'
import { ProviderAddresses } from './ProviderAddresses.tsx'
import { ProviderSettings } from './ProviderSettings.tsx'
import { ProviderStateBadge } from './ProvidersPage.tsx'
import { ProviderTest } from './ProviderTest.tsx'
import { WaitingChange } from './WaitingChange.tsx'

/** What may be done in each state; the first is what usually comes next. */
const MOVES: Record<ProviderState, readonly ProviderState[]> = {
  draft: ['testing'],
  testing: ['active', 'draft'],
  active: ['suspended'],
  suspended: ['active', 'testing'],
}

/** One provider: its state, its test, and its settings. */
export function ProviderPage({ id }: { id: string }) {
  const { t } = useTranslation('identity-admin')
  const { t: admin } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const provider = useSuspenseQuery(providerQuery(id)).data.data
  const { name, state, meta } = provider
  const [asking, setAsking] = useState<'suspend' | 'delete'>()
  const move = useMutation({
    mutationFn: (next: ProviderState) =>
      api.update('identity-providers', id, { attributes: { state: next } }, { lockVersion: meta.lockVersion }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY }),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('identity-providers', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/sign-in' })
      await queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY })
    },
  })
  return (
    <div className="admin-stack">
      <PageHeader
        title={name}
        status={<ProviderStateBadge state={state} isWaiting={provider.waitingChange !== null} />}
        meta={t(`state-texts.${state}`)}
        actions={
          <>
            <Link to="/admin/sign-in">{t('all')}</Link>
            <Button kind="secondary" onClick={() => setAsking('delete')}>
              {t('delete')}
            </Button>
            {MOVES[state].toReversed().map((next) => (
              <Button
                key={next}
                kind={next === MOVES[state][0] && next !== 'suspended' ? 'primary' : 'secondary'}
                pending={move.isPending}
                onClick={() => (next === 'suspended' ? setAsking('suspend') : move.mutate(next))}
              >
                {t(`moves.${next}`)}
              </Button>
            ))}
          </>
        }
      />
      <ErrorSummary title={admin('editor.problem')} errors={listFaults(move.error ?? remove.error)} />
      {provider.waitingChange && <WaitingChange waiting={provider.waitingChange} />}
      <CertificateNotice endsAt={provider.certificatesEndAt} />
      <MetadataNotice provider={provider} />
      <ProviderAddresses provider={provider} />
      {state !== 'draft' && <ProviderTest provider={provider} />}
      <ProviderSettings provider={provider} />
      <ConfirmDialog
        title={t(asking === 'delete' ? 'delete-title' : 'suspend-title', { name })}
        isOpen={asking !== undefined}
        onClose={() => setAsking(undefined)}
        onConfirm={async () => {
          await (asking === 'delete' ? remove.mutateAsync() : move.mutateAsync('suspended')).catch(() => undefined)
          setAsking(undefined)
        }}
        confirmLabel={t(asking === 'delete' ? 'delete' : 'moves.suspended')}
        cancelLabel={t('keep')}
        danger
      >
        <p>{t(asking === 'delete' ? 'delete-text' : 'suspend-text')}</p>
      </ConfirmDialog>
    </div>
  )
}

const WARN_BEFORE_MS = CERTIFICATE_REMINDER_DAYS[0] * 86_400_000

/** Says that the provider's last certificate ends soon, or has ended. */
function CertificateNotice({ endsAt }: { endsAt: string | null }) {
  const { t } = useTranslation('identity-admin')
  const format = useFormat()
  const [now] = useState(Date.now)
  if (!endsAt) return null
  const left = new Date(endsAt).getTime() - now
  if (left > WARN_BEFORE_MS) return null
  return <Notice kind="warning">{t(left > 0 ? 'certificates-end' : 'certificates-ended', { date: format.date(new Date(endsAt)) })}</Notice>
}

/** When the provider's metadata was read from its address, and whether that still works. */
function MetadataNotice({ provider: { metadataAddress, metadataReadAt, metadataFailed } }: { provider: Provider }) {
  const { t } = useTranslation('identity-admin')
  const format = useFormat()
  if (!metadataAddress) return null
  const read = metadataReadAt && t('metadata-read', { date: format.dateTime(metadataReadAt) })
  return metadataFailed ? (
    <Notice kind="warning" title={t('metadata-failed')}>
      {read && <p>{read}</p>}
    </Notice>
  ) : (
    <p>{read}</p>
  )
}
