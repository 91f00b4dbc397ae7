import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { MASKED_FIELDS } from '#app/lib/vocabulary/moderation.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetContributions } from '../contributions.queries.ts'
import type { ExtraQuestion } from '../record/extra-question.schema.ts'
import { PlainText } from '../parts/contribution-parts.tsx'

interface MaskedOriginalProps {
  id: string
  language: ContentLanguage
  questions: readonly ExtraQuestion[]
}

/** What a contribution said and showed before parts were removed, on request only since each look is recorded; and a way to put them back. */
export function MaskedOriginal({ id, language, questions }: MaskedOriginalProps) {
  const { t } = useTranslation('moderation-admin')
  const { t: words } = useTranslation('contributions-admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const look = useMutation({ mutationFn: () => api.get('masked-originals', id) })
  const putBack = useMutation({
    mutationFn: () =>
      api.create('moderation-decisions', {
        attributes: { decision: 'unmask', reason },
        relationships: { contribution: { type: 'contributions', id } },
      }),
    onSuccess: async () => {
      setAsking(false)
      showToast({ text: words('queue.decided') })
      await forgetContributions(queryClient)
    },
  })
  const { faults } = useEditorTexts(look.error ?? putBack.error)
  const original = look.data?.data
  const { locale } = useSite()
  const own = useLanguage()
  const say = (title: ExtraQuestion['title']) => getTranslation(title, own, locale)
  return (
    <section className="admin-panel admin-stack" aria-labelledby="masked-original">
      <h2 id="masked-original">{t('mask.removed')}</h2>
      <p>{t('mask.removed-about')}</p>
      {!isAsking && faults[0] && <Notice kind="error" title={faults[0].message} />}
      {original && (
        <>
          <DefinitionList
            items={[
              ...MASKED_FIELDS.flatMap((field) => {
                const text = original[field]
                return text ? [{ term: t(`mask.fields.${field}`), value: <PlainText text={text} lang={language} /> }] : []
              }),
              ...questions.flatMap((question) => {
                const text = original.answers[question.id]
                return text ? [{ term: say(question.title), value: <PlainText text={text} lang={language} /> }] : []
              }),
            ]}
          />
          {original.photos.length > 0 && (
            <ul className="moderated-photos" aria-label={words('queue.photos')}>
              {original.photos.map(({ id: photo, address, alt }) => (
                <li key={photo}>
                  <img src={address} alt={alt} lang={language} dir={getDirection(language)} loading="lazy" />
                  <p lang={language} dir={getDirection(language)}>
                    {alt}
                  </p>
                </li>
              ))}
            </ul>
          )}
          <p className="meta">{t('mask.kept-until', { date: format.date(original.keptUntil) })}</p>
        </>
      )}
      <div className="row">
        {!original && (
          <Button kind="secondary" pending={look.isPending} onClick={() => look.mutate()}>
            {t('mask.look')}
          </Button>
        )}
        <Button kind="secondary" onClick={() => setAsking(true)}>
          {t('mask.put-back')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('mask.put-back')}
          isOpen
          onClose={() => setAsking(false)}
          onConfirm={() => putBack.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('mask.put-back')}
          cancelLabel={words('common.cancel')}
        >
          <p>{t('mask.put-back-about')}</p>
          <TextAreaInput
            name="put-back-reason"
            label={words('queue.reason')}
            hint={words('queue.reason-hint')}
            value={reason}
            onChange={setReason}
            rows={4}
            error={faults[0]?.message}
          />
        </ConfirmDialog>
      )}
    </section>
  )
}
