import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { TEXT_GAP_CODES } from '#app/lib/translated-texts.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { publishDeskText } from '../translations.functions.ts'
import { forgetTexts } from '../translations.queries.ts'

/** Publishes the draft that a text is in. Asks about each text and language that it lacks, as the draft's editor does. */
export function PublishText({ id, title, isBlocked }: { id: string; title: string; isBlocked: boolean }) {
  const { t } = useTranslation('translations')
  const queryClient = useQueryClient()
  const publish = useMutation({
    mutationFn: (waived: readonly string[]) => publishDeskText({ data: { id, waived: [...waived] } }),
    onSuccess: async (outcome) => {
      showToast({ text: t(`publish.${outcome}`, { title }) })
      await forgetTexts(queryClient)
    },
  })
  const { error } = publish
  const isAboutLanguages = isAppError(error) && error.faults.length > 0 && error.faults.every(({ code }) => TEXT_GAP_CODES.has(code))
  return (
    <div className="admin-form">
      <p className="meta">{t('publish.about', { title })}</p>
      {!isAboutLanguages && <Refusal error={error} />}
      <div className="row">
        <Button kind="secondary" pending={publish.isPending} disabled={isBlocked} onClick={() => publish.mutate([])}>
          {t('publish.open', { title })}
        </Button>
      </div>
      <LanguageGapsDialog error={error} onPublish={(waived) => publish.mutateAsync(waived)} onClose={() => publish.reset()} />
    </div>
  )
}
