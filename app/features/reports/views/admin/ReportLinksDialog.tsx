import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { reportLinksQuery } from '../report-views.queries.ts'

const LINK_DAYS = ['7', '30', '90', '365'] as const
const DAY_MS = 86_400_000

/** Links that show a report outside the administration: make, copy, list and end them. */
export function ReportLinksDialog({ view, onClose }: { view: Resource<'report-views'>; onClose: () => void }) {
  const { t } = useTranslation('reports')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const links = useQuery(reportLinksQuery(view.id)).data?.data ?? []
  const [days, setDays] = useState<(typeof LINK_DAYS)[number]>('30')
  const refreshLinks = () => queryClient.invalidateQueries({ queryKey: reportLinksQuery(view.id).queryKey })
  const make = useMutation({
    mutationFn: () =>
      api.create('report-links', {
        attributes: { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() },
        relationships: { view: { type: 'report-views', id: view.id } },
      }),
    onSuccess: refreshLinks,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => api.remove('report-links', id),
    onSuccess: async () => {
      make.reset()
      showToast({ text: t('links.revoked') })
      await refreshLinks()
    },
  })
  const url = make.data?.data.url
  const copyLink = async (text: string) => {
    await navigator.clipboard.writeText(text).catch(() => {})
    showToast({ text: t('links.copied') })
  }
  return (
    <Dialog title={t('links.title', { name: view.name })} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')}>
      <p>{t('links.text')}</p>
      <form
        className="share-form"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <SelectInput
          name="link-days"
          label={t('links.lasts')}
          value={days}
          onChange={setDays}
          options={LINK_DAYS.map((value) => ({ value, label: t('links.days', { count: Number(value) }) }))}
        />
        <Button type="submit" pending={make.isPending}>
          {t('links.make')}
        </Button>
      </form>
      <Refusal error={make.error ?? revoke.error} />
      {url && (
        <div className="report-link-made">
          <label htmlFor="report-link">{t('links.made')}</label>
          <input id="report-link" className="input" readOnly value={url} onFocus={({ currentTarget }) => currentTarget.select()} />
          <Button kind="secondary" size="small" onClick={() => void copyLink(url)}>
            {t('links.copy')}
          </Button>
        </div>
      )}
      <h3>{t('links.list')}</h3>
      {links.length === 0 && <p className="meta">{t('links.none')}</p>}
      <ul className="report-links">
        {links.map(({ id, createdAt, expiresAt }) => (
          <li key={id}>
            <span>{t('links.until', { made: format.date(createdAt), when: format.dateTime(expiresAt) })}</span>
            <Button kind="plain" size="small" onClick={() => revoke.mutate(id)}>
              {t('links.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
