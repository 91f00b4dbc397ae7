import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatter } from '#app/lib/format.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useContentWords } from '#app/shell/use-content-words.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { siteDeletionsQuery, siteListQuery } from '../sites.queries.ts'
import { DeletedSites } from './DeletedSites.tsx'
import { DeleteSite } from './DeleteSite.tsx'
import { NewSite } from './NewSite.tsx'
import { SiteAddresses } from './SiteAddresses.tsx'
import { SiteDeletion } from './SiteDeletion.tsx'

/** Every site of the platform, for those who run it. */
export function SitesPage() {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const here = useSite()
  const format = formatter({ language: useLanguage(), timeZone: here.timeZone, region: here.region })
  const queryClient = useQueryClient()
  const sites = useSuspenseQuery(siteListQuery).data.data
  const { data: deletions, meta } = useSuspenseQuery(siteDeletionsQuery).data
  const leaving = new Map(deletions.filter(({ state }) => state !== 'erased').map((deletion) => [deletion.id, deletion]))
  const [making, setMaking] = useState(false)
  const [deleting, setDeleting] = useState<string>()
  const [turning, setTurning] = useState<(typeof sites)[number]>()
  const [reason, setReason] = useState('')
  const [addressed, setAddressed] = useState<(typeof sites)[number]>()
  const toDelete = sites.find(({ id }) => id === deleting)
  const deletion = deleting === undefined ? undefined : leaving.get(deleting)
  const suspending = turning?.status === 'active'
  const turn = useMutation({
    mutationFn: async ({ id, status }: { id: string; status: string }) =>
      status === 'active'
        ? void (await api.create('site-suspensions', { attributes: { reason }, relationships: { site: { type: 'sites', id } } }))
        : api.remove('site-suspensions', id),
    onSuccess: async () => {
      setTurning(undefined)
      setReason('')
      await queryClient.invalidateQueries({ queryKey: siteListQuery.queryKey })
    },
  })
  const { faults } = useContentWords(turn.error)
  return (
    <>
      <PageHeader
        title={admin('nav.sites')}
        meta={t('sites.text')}
        actions={<Button onClick={() => setMaking(true)}>{t('sites.new')}</Button>}
      />
      <DataTable
        caption={admin('nav.sites')}
        rows={sites}
        rowKey={(site) => site.id}
        loadingLabel={common('loading')}
        empty={null}
        columns={[
          { id: 'name', head: t('sites.name'), names: true, cell: (site) => site.name },
          { id: 'region', head: t('sites.region'), cell: (site) => site.region },
          {
            id: 'languages',
            head: t('sites.languages'),
            secondary: true,
            cell: (site) => site.languages.map((code) => LANGUAGE_NAMES[code]).join(', '),
          },
          { id: 'created', head: t('sites.created'), secondary: true, cell: (site) => format.shortDate(site.createdAt) },
          {
            id: 'state',
            head: admin('projects.status'),
            cell: (site) => {
              const deletion = leaving.get(site.id)
              if (deletion?.state === 'erasing') return <Badge tone="bad">{t('sites.erasing')}</Badge>
              if (deletion) return <Badge tone="bad">{t('sites.due', { day: format.shortDate(deletion.dueAt) })}</Badge>
              return site.status === 'active' ? (
                <Badge tone="ok">{t('sites.active')}</Badge>
              ) : (
                <Badge tone="bad">{t('sites.suspended')}</Badge>
              )
            },
          },
          {
            id: 'acts',
            head: <span className="visually-hidden">{t('sites.turn')}</span>,
            cell: (site) => (
              <div className="site-acts">
                <Button kind="plain" size="small" onClick={() => setAddressed(site)}>
                  {t('sites.addresses')}
                  <span className="visually-hidden"> {site.name}</span>
                </Button>
                {site.id !== here.id && !leaving.has(site.id) && (
                  <Button kind="plain" size="small" onClick={() => setTurning(site)}>
                    {t(site.status === 'active' ? 'sites.suspend' : 'sites.resume')}
                    <span className="visually-hidden"> {site.name}</span>
                  </Button>
                )}
                {site.id !== here.id && (
                  <Button kind="plain" size="small" onClick={() => setDeleting(site.id)}>
                    {t(leaving.has(site.id) ? 'sites.deletion' : 'sites.delete')}
                    <span className="visually-hidden"> {site.name}</span>
                  </Button>
                )}
              </div>
            ),
          },
        ]}
      />
      <DeletedSites deletions={deletions.filter(({ state }) => state === 'erased')} />
      {toDelete &&
        (deletion ? (
          <SiteDeletion deletion={deletion} onClose={() => setDeleting(undefined)} />
        ) : (
          <DeleteSite site={toDelete} waitingDays={Number(meta['waitingDays'])} onClose={() => setDeleting(undefined)} />
        ))}
      {addressed && <SiteAddresses site={addressed} onClose={() => setAddressed(undefined)} />}
      {making && <NewSite onClose={() => setMaking(false)} />}
      {turning && (
        <ConfirmDialog
          title={t(suspending ? 'sites.suspend-title' : 'sites.resume-title', { name: turning.name })}
          isOpen
          danger={suspending}
          onClose={() => {
            setTurning(undefined)
            turn.reset()
          }}
          onConfirm={() => turn.mutateAsync(turning).then(undefined, () => undefined)}
          confirmLabel={t(suspending ? 'sites.suspend' : 'sites.resume')}
          cancelLabel={admin('confirm.cancel')}
          confirmDisabled={suspending && !reason.trim()}
        >
          <p>{t(suspending ? 'sites.suspend-text' : 'sites.resume-text')}</p>
          {suspending && <TextAreaInput name="reason" label={t('sites.reason')} value={reason} onChange={setReason} required />}
          {faults[0] && <Notice kind="error" title={faults[0].message} />}
        </ConfirmDialog>
      )}
    </>
  )
}
