import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog, Dialog } from '#app/ui/admin/dialog.tsx'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { siteDomainsQuery } from '../sites.queries.ts'

interface SiteAddressesProps {
  site: { id: string; name: string }
  onClose: () => void
}

/** A site's addresses and which one links use; a site can move to another without breaking old links. */
export function SiteAddresses({ site, onClose }: SiteAddressesProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const queryClient = useQueryClient()
  const domains = useQuery(siteDomainsQuery(site.id)).data?.data ?? []
  const [host, setHost] = useState('')
  const [removing, setRemoving] = useState<(typeof domains)[number]>()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: siteDomainsQuery(site.id).queryKey })
  const add = useMutation({
    mutationFn: () => api.create('site-domains', { attributes: { host }, relationships: { site: { type: 'sites', id: site.id } } }),
    onSuccess: () => setHost(''),
    onSettled,
  })
  const prefer = useMutation({
    mutationFn: (id: string) => api.update('site-domains', id, { attributes: { isPrimary: true } }),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('site-domains', id),
    onSuccess: () => setRemoving(undefined),
    onSettled,
  })
  const words = useEditorTexts(add.error ?? prefer.error ?? remove.error)
  return (
    <Dialog title={t('sites.addresses-of', { name: site.name })} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')}>
      <div className="admin-form">
        <p>{t('sites.addresses-text')}</p>
        {words.faults.length > 0 && <FaultSummary title={words.form.problem} errors={words.faults} />}
        <DataTable
          caption={t('sites.addresses')}
          rows={domains}
          rowKey={(domain) => domain.id}
          loadingLabel={common('loading')}
          empty={null}
          columns={[
            {
              id: 'host',
              head: t('sites.host'),
              names: true,
              cell: (domain) => (
                <>
                  {domain.host} {domain.isPrimary && <Badge tone="ok">{t('sites.main')}</Badge>}
                </>
              ),
            },
            {
              id: 'act',
              head: <span className="visually-hidden">{t('sites.addresses')}</span>,
              cell: (domain) =>
                !domain.isPrimary && (
                  <div className="form-actions">
                    <Button kind="plain" size="small" onClick={() => prefer.mutate(domain.id)}>
                      {t('sites.make-main')}
                      <span className="visually-hidden"> {domain.host}</span>
                    </Button>
                    <Button kind="plain" size="small" onClick={() => setRemoving(domain)}>
                      {t('sites.remove-address')}
                      <span className="visually-hidden"> {domain.host}</span>
                    </Button>
                  </div>
                ),
            },
          ]}
        />
        <form
          className="admin-form"
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate()
          }}
        >
          <TextInput
            name="host"
            label={t('sites.host')}
            hint={t('sites.host-hint')}
            value={host}
            onChange={setHost}
            error={words.messageOf('host')}
          />
          <div className="form-actions">
            <Button type="submit" kind="secondary" pending={add.isPending}>
              {t('sites.add-address')}
            </Button>
          </div>
        </form>
      </div>
      {removing && (
        <ConfirmDialog
          title={t('sites.remove-address-title', { host: removing.host })}
          isOpen
          danger
          onClose={() => setRemoving(undefined)}
          onConfirm={() => remove.mutateAsync(removing.id).then(undefined, () => setRemoving(undefined))}
          confirmLabel={t('sites.remove-address')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('sites.remove-address-text')}</p>
        </ConfirmDialog>
      )}
    </Dialog>
  )
}
