import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameTimeZone } from '#app/lib/time-zones.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { LinkedPlace } from '../draft.schema.ts'
import { draftLinksQuery } from '../revisions.queries.ts'

const DAYS = ['1', '7', '30'] as const
const DAY_MS = 864e5

/** Links that show the draft to colleagues without an account: create, copy, list, revoke. */
export function ShareDialog({ place, onClose }: { place: LinkedPlace; onClose: () => void }) {
  const { t } = useTranslation('editor')
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const { timeZone } = useSite()
  const queryClient = useQueryClient()
  const { data: links } = useQuery(draftLinksQuery(place))
  const [note, setNote] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('7')
  const refreshLinks = () => queryClient.invalidateQueries({ queryKey: draftLinksQuery(place).queryKey })
  const copyLink = async (path: string) => {
    await navigator.clipboard.writeText(new URL(path, window.location.origin).href).catch(() => {})
    showToast({ text: t('share.copied') })
  }
  const make = useMutation({
    mutationFn: () =>
      api.create('draft-links', {
        attributes: { subject: place.subject, note, expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() },
        relationships:
          place.placeId === null
            ? {}
            : place.subject === 'project'
              ? { project: { type: 'projects' as const, id: place.placeId } }
              : { hub: { type: 'hubs' as const, id: place.placeId } },
      }),
    onSuccess: async ({ data }) => {
      setNote('')
      await refreshLinks()
      await copyLink(data.path)
    },
  })
  const revoke = useMutation({
    mutationFn: (id: string) => api.remove('draft-links', id),
    onSuccess: async () => {
      showToast({ text: t('share.revoked') })
      await refreshLinks()
    },
  })
  const { error } = make
  return (
    <Dialog title={t('share.title')} isOpen onClose={onClose} closeLabel={t('close')}>
      <p>{t('share.text', { zone: nameTimeZone(timeZone) })}</p>
      <form
        className="share-form"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <TextInput
          name="share-note"
          label={t('share.note')}
          value={note}
          onChange={setNote}
          maxLength={120}
          optional={t('share.optional')}
        />
        <SelectInput
          name="share-days"
          label={t('share.lasts')}
          value={days}
          onChange={setDays}
          options={DAYS.map((value) => ({ value, label: t('share.days', { count: Number(value) }) }))}
        />
        <Button type="submit" pending={make.isPending}>
          {t('share.make')}
        </Button>
      </form>
      {error && <Notice kind="error" title={describeError(error)} />}
      <h3>{t('share.list')}</h3>
      {!links && <Skeleton label={t('loading')} lines={2} />}
      {links?.length === 0 && <p className="block-form-hint">{t('share.none')}</p>}
      <ul className="revisions">
        {links?.map(({ id, note: forWhom, path, expiresAt, lastUsedAt, author }) => (
          <li key={id}>
            <strong>{forWhom || t('share.anybody')}</strong>
            <p className="revision-facts">
              {author && <span>{author}</span>}
              <span>{t('share.expires', { when: format.dateTime(expiresAt) })}</span>
              <span>{lastUsedAt ? t('share.used', { when: format.dateTime(lastUsedAt) }) : t('share.unused')}</span>
            </p>
            <span className="row">
              <Button kind="secondary" size="small" type="button" onClick={() => void copyLink(path)}>
                {t('share.copy')}
              </Button>
              <Button kind="plain" size="small" type="button" onClick={() => revoke.mutate(id)}>
                {t('share.revoke')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
