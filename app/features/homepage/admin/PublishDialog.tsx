import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { faultTitle } from '#app/lib/fault-title.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { MissingText } from '../content-checks.ts'
import { historyQuery } from '../homepage.queries.ts'
import type { useHomepageDraft } from './use-homepage-draft.ts'

interface PublishDialogProps {
  hubId: string | null
  draft: Pick<ReturnType<typeof useHomepageDraft>, 'save' | 'blocks'>
  missing: readonly MissingText[]
  /** Leads to the block that lacks something. */
  onShow: (block: string) => void
  onClose: () => void
}

/** Publishes the draft, now or at a time. What lacks a language or an alternative text is named, to be written or waived one by one. */
export function PublishDialog({ hubId, draft, missing, onShow, onClose }: PublishDialogProps) {
  const { t } = useTranslation('editor')
  const { t: errors } = useTranslation('errors')
  const site = useSite()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [waived, setWaived] = useState<readonly string[]>([])
  const [isLater, setLater] = useState(false)
  const [publishAt, setPublishAt] = useState<string>()
  const left = missing.filter(({ name }) => !waived.includes(name))
  const publish = useMutation({
    mutationFn: async () => {
      const id = await draft.save()
      if (!id) throw new Error('The draft could not be saved')
      await api.createRelated('homepage-revisions', id, 'publications', {
        type: 'homepage-publications',
        attributes: { waived: [...waived], ...(isLater && publishAt ? { publishAt } : {}) },
      })
      return id
    },
    onSuccess: async (id) => {
      onClose()
      await queryClient.invalidateQueries({ queryKey: historyQuery(hubId).queryKey })
      const undo = async () => {
        await api.remove('homepage-publications', id)
        showToast({ text: t('publish.undone') })
        await queryClient.invalidateQueries({ queryKey: historyQuery(hubId).queryKey })
      }
      showToast({
        text: isLater ? t('publish.scheduled') : t('publish.done'),
        action: { label: t('publish.undo'), onAction: () => void undo() },
      })
    },
  })
  const failure = publish.error
  const blockName = (id: string) => {
    const block = draft.blocks.find((one) => one.id === id)
    return block ? t(`blocks.${block.type}.name`) : id
  }
  return (
    <ConfirmDialog
      title={t('publish.title')}
      isOpen
      onClose={onClose}
      onConfirm={() =>
        publish.mutateAsync().then(
          () => undefined,
          () => undefined,
        )
      }
      confirmLabel={isLater ? t('publish.later-yes') : t('publish.now')}
      cancelLabel={t('cancel')}
      confirmDisabled={left.length > 0 || (isLater && !publishAt)}
    >
      <p>{t('publish.text')}</p>
      {missing.length > 0 && (
        <fieldset className="editor-group">
          <legend>{t('publish.missing')}</legend>
          <p>{t('publish.missing-text')}</p>
          <ul className="missing-texts">
            {missing.map((one) => (
              <li key={one.name}>
                <CheckInput
                  name={`waive.${one.name}`}
                  label={t(one.code === 'alternative-missing' ? 'publish.waive-alt' : 'publish.waive', {
                    block: blockName(one.blockId),
                    field: t(`fields.${one.field}`, { defaultValue: one.field }),
                    language: LANGUAGE_NAMES[one.language],
                  })}
                  value={waived.includes(one.name)}
                  onChange={(on) => setWaived(on ? [...waived, one.name] : waived.filter((name) => name !== one.name))}
                />
                <button
                  type="button"
                  className="link-button"
                  onClick={() => {
                    onShow(one.blockId)
                    onClose()
                  }}
                >
                  {t('publish.write')}
                </button>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      <CheckInput name="later" label={t('publish.later')} value={isLater} onChange={setLater} />
      {isLater && (
        <DateTimeField
          name="publishAt"
          label={t('publish.at')}
          value={publishAt}
          onChange={setPublishAt}
          zone={site.timeZone}
          dateLabel={t('publish.date')}
          timeLabel={t('publish.time')}
          describe={(at) => t('publish.moment', { day: format.weekday(at), time: format.time(at), zone: site.timeZone })}
          clearLabel={t('publish.clear')}
        />
      )}
      {failure && (
        <Notice kind="error" title={isAppError(failure) ? errors(...faultTitle(failure.faults[0] ?? failure)) : t('publish.failed')} />
      )}
    </ConfirmDialog>
  )
}
