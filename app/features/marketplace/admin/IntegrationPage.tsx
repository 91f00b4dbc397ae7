import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { SwitchInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { invalidateInstallations, installationsQuery, integrationQuery } from '../marketplace.queries.ts'
import type { Settings, SettingValue } from '../marketplace.schema.ts'
import { CallLog } from './CallLog.tsx'
import { SettingsForm } from './SettingsForm.tsx'
import { StateBadge } from './StateBadge.tsx'
import { Webhooks } from './Webhooks.tsx'

/** One integration: what it does, which data it sends out, and its installation on this site. */
export function IntegrationPage({ id }: { id: string }) {
  const { t } = useTranslation('marketplace')
  const { data: integration } = useSuspenseQuery(integrationQuery(id)).data
  const ofSite = useViewer()?.roleName === 'site_admin'
  const installed = useQuery({ ...installationsQuery, enabled: ofSite }).data
  const installation = installed?.data.find((one) => one.integration === id)
  return (
    <div className="admin-stack">
      <PageHeader
        title={integration.name}
        status={ofSite && <StateBadge installation={installation} />}
        meta={integration.does}
        actions={<Link to="/admin/marketplace">{t('all')}</Link>}
      />
      <section className="admin-panel">
        <h2>{t('leaves.title')}</h2>
        {integration.leaves.length === 0 ? (
          <p>{t('leaves.nothing')}</p>
        ) : (
          <ul>
            {integration.leaves.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        )}
      </section>
      {ofSite && installed && (
        <IntegrationSettings key={installation?.id ?? 'none'} integration={integration} installation={installation} />
      )}
    </div>
  )
}

type Integration = ReturnType<typeof useIntegration>
const useIntegration = (id: string) => useSuspenseQuery(integrationQuery(id)).data.data
type Installation = NonNullable<ReturnType<typeof useInstallations>>[number]
const useInstallations = () => useQuery(installationsQuery).data?.data

/** Settings and actions of an installation, or the form for a new one. */
function IntegrationSettings({ integration, installation }: { integration: Integration; installation: Installation | undefined }) {
  const { t } = useTranslation('marketplace')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const { listFaults } = useFaultTexts()
  // Saving empties the form, and earlier test results no longer apply.
  const [saves, setSaves] = useState(0)
  const save = useMutation({
    mutationFn: async (settings: Record<string, SettingValue | null>) => {
      if (!installation) await api.create('installations', { attributes: { integration: integration.id, settings } })
      else await api.update('installations', installation.id, { attributes: { settings } }, { lockVersion: installation.meta.lockVersion })
    },
    onSuccess: async () => {
      await invalidateInstallations(queryClient)
      setSaves((before) => before + 1)
      showToast({ kind: 'success', text: t('form.saved') })
    },
  })
  const errors = listFaults(save.error)
  return (
    <>
      <section className="admin-panel">
        <h2>{t('form.title')}</h2>
        <ErrorSummary title={admin('editor.problem')} errors={errors} />
        <SettingsForm
          key={saves}
          fields={integration.fields}
          settings={(installation?.settings ?? {}) as Settings}
          secretsSet={installation?.secretsSet ?? []}
          errors={errors}
          saveLabel={t(installation ? 'form.save' : 'form.install')}
          saving={save.isPending}
          onSave={(changed) => save.mutate(changed)}
        />
      </section>
      {installation && <InstallationStatus key={`status-${saves}`} installation={installation} integration={integration} />}
      {installation && integration.capabilities.includes('send-webhooks') && <Webhooks installation={installation.id} />}
      {installation && integration.leaves.length > 0 && !integration.onPages && (
        <section className="admin-stack">
          <h2>{t('log.title')}</h2>
          <p>{t('log.text')}</p>
          <CallLog installation={installation.id} />
        </section>
      )}
    </>
  )
}

/** An installation's switch, test, health and removal. */
function InstallationStatus({ installation, integration }: { installation: Installation; integration: Integration }) {
  const { name, triedAt, testing, onPages, fields, capabilities } = integration
  const { t } = useTranslation('marketplace')
  const { t: admin } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [leaving, setLeaving] = useState(false)
  const refreshInstallations = () => invalidateInstallations(queryClient)
  const test = useMutation({
    mutationFn: () =>
      api.create('installation-tests', {
        relationships: { installation: { type: 'installations', id: installation.id } },
      }),
    onSuccess: refreshInstallations,
  })
  const toggle = useMutation({
    mutationFn: (enabled: boolean) =>
      api.update('installations', installation.id, { attributes: { enabled } }, { lockVersion: installation.meta.lockVersion }),
    onSuccess: refreshInstallations,
  })
  const remove = useMutation({ mutationFn: () => api.remove('installations', installation.id), onSuccess: refreshInstallations })
  const fault = test.data?.data.fault
  return (
    <section className="admin-panel">
      <h2>{t('running.title')}</h2>
      <SwitchInput
        name="enabled"
        label={t('running.enabled')}
        hint={t(onPages ? 'running.on-pages-hint' : 'running.enabled-hint')}
        value={installation.enabled}
        onChange={(enabled) => toggle.mutate(enabled)}
      />
      <Refusal error={toggle.error} />
      {installation.hookAddress && (
        <p>
          {t('running.hook')} <code className="hook-address">{installation.hookAddress}</code>
        </p>
      )}
      {installation.health === 'down' && installation.pausedUntil && (
        <Notice kind="warning" title={t('running.paused')}>
          {t('running.paused-text', { when: format.dateTime(installation.pausedUntil) })}
        </Notice>
      )}
      {installation.lastFault && installation.health !== 'working' && (
        <p>
          {t('running.last-fault', {
            when: format.dateTime(installation.lastFault.at),
            what: errors(`codes.${installation.lastFault.code}`),
          })}
        </p>
      )}
      {testing && <p>{testing}</p>}
      {test.data && (
        <Notice kind={fault ? 'error' : 'success'} title={t(fault ? 'running.test-failed' : 'running.test-passed')}>
          {fault && errors(`codes.${fault}`)}
        </Notice>
      )}
      <div className="row">
        {!onPages && (
          <Button kind="secondary" pending={test.isPending} onClick={() => test.mutate()}>
            {t('running.test')}
          </Button>
        )}
        {installation.enabled && triedAt && <Link to={triedAt}>{t('running.try')}</Link>}
        <Button kind="plain" onClick={() => setLeaving(true)}>
          {t('running.uninstall')}
        </Button>
      </div>
      <Refusal error={test.error ?? remove.error} />
      <ConfirmDialog
        title={t('running.uninstall-title', { name })}
        isOpen={leaving}
        danger
        onClose={() => setLeaving(false)}
        onConfirm={() =>
          remove.mutateAsync().then(
            () => setLeaving(false),
            () => setLeaving(false),
          )
        }
        confirmLabel={t('running.uninstall-yes')}
        cancelLabel={admin('confirm.cancel')}
      >
        <p>{t('running.uninstall-text')}</p>
        {fields.some(({ name: field, secret }) => secret && installation.secretsSet.includes(field)) && (
          <p>{t('running.uninstall-revoke')}</p>
        )}
        {installation.hookAddress && capabilities.includes('receive-sms') && <p>{t('running.uninstall-stop')}</p>}
      </ConfirmDialog>
    </section>
  )
}
