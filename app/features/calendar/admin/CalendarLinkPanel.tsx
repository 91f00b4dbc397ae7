import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { calendarLinkQuery } from '../calendar.queries.ts'

/** The viewer's secret address of the calendar, for their own calendar program: making it, seeing it once, and ending it. */
export function CalendarLinkPanel() {
  const { t } = useTranslation('calendar')
  const format = useFormat()
  const queryClient = useQueryClient()
  const { data } = useQuery(calendarLinkQuery)
  const [asking, setAsking] = useState<'replace' | 'end'>()
  const [copied, setCopied] = useState('')
  const refresh = () => queryClient.invalidateQueries({ queryKey: calendarLinkQuery.queryKey })
  const make = useMutation({ mutationFn: () => api.create('calendar-links', { attributes: {} }), onSuccess: refresh })
  const link = data?.data[0]
  const end = useMutation({
    mutationFn: (id: string) => api.remove('calendar-links', id),
    onSuccess: () => {
      make.reset()
      return refresh()
    },
  })
  if (!data) return null
  const address = make.data?.data.address
  return (
    <section className="admin-panel" aria-labelledby="calendar-link">
      <h2 id="calendar-link">{t('link.title')}</h2>
      <p>{t('link.about')}</p>
      <Refusal error={make.error ?? end.error} />
      {address && (
        <Notice kind="success" title={t('link.made')}>
          <p>
            <code className="hook-address">{address}</code>
          </p>
          <p>{t('link.once')}</p>
          <div className="row">
            <Button
              kind="secondary"
              size="small"
              onClick={() => void navigator.clipboard.writeText(address).then(() => setCopied(address))}
            >
              {t('link.copy')}
            </Button>
            <output>{copied === address && t('link.copied')}</output>
          </div>
        </Notice>
      )}
      {link && <p className="meta">{t('link.since', { when: format.dateTime(link.createdAt) })}</p>}
      <div className="row">
        <Button kind="secondary" pending={make.isPending} onClick={() => (link ? setAsking('replace') : make.mutate())}>
          {t(link ? 'link.replace' : 'link.make')}
        </Button>
        {link && (
          <Button kind="plain" onClick={() => setAsking('end')}>
            {t('link.end')}
          </Button>
        )}
      </div>
      {asking && link && (
        <ConfirmDialog
          title={t(asking === 'end' ? 'link.end-title' : 'link.replace-title')}
          isOpen
          danger
          onClose={() => setAsking(undefined)}
          onConfirm={async () => {
            await (asking === 'end' ? end.mutateAsync(link.id) : make.mutateAsync()).catch(() => undefined)
            setAsking(undefined)
          }}
          confirmLabel={t(asking === 'end' ? 'link.end' : 'link.replace')}
          cancelLabel={t('link.keep')}
        >
          <p>{t('link.end-text')}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
