import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { faultTitle } from '#app/lib/fault-title.ts'
import { api } from '#app/shell/api.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetSurvey } from '../../surveys.queries.ts'
import { type PlacedFault, placeFault } from './draft-faults.ts'
import { FaultList } from './FaultList.tsx'
import type { Survey } from './survey-draft.ts'
import type { SurveyEditing } from './use-survey-draft.ts'

interface PublishSurveyProps {
  survey: Survey
  editing: SurveyEditing
  /** What the check found while somebody typed. */
  faults: readonly PlacedFault[]
  onGo: (fault: PlacedFault) => void
}

/** Publishes the draft as the version that is answered from now on, or says what keeps it from being published. */
export function PublishSurvey({ survey, editing, faults, onGo }: PublishSurveyProps) {
  const { t } = useTranslation('survey-admin')
  const { t: errors } = useTranslation('errors')
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const [waive, setWaive] = useState(false)
  const publish = useMutation({
    mutationFn: async () => {
      const onLockVersion = await editing.flush()
      await api.createRelated('surveys', survey.id, 'versions', {
        type: 'survey-versions',
        attributes: { waiveTranslations: waive, onLockVersion },
      })
    },
    onSuccess: async () => {
      setOpen(false)
      showToast({ text: t('publish.done') })
      await forgetSurvey(queryClient, survey.id)
    },
  })
  const { error } = publish
  const refused =
    isAppError(error) && error.faults.some((fault) => fault.pointer) ? error.faults.map((each) => placeFault(each, editing.draft)) : []
  const shown = refused.length > 0 ? refused : faults
  const untranslated = shown.filter(({ fault }) => fault.code === 'translation-missing')
  const broken = shown.filter(({ fault }) => fault.code !== 'translation-missing')
  const close = () => {
    setOpen(false)
    publish.reset()
  }
  const go = (fault: PlacedFault) => {
    close()
    onGo(fault)
  }
  return (
    <>
      <Button type="button" disabled={editing.conflict !== undefined} onClick={() => setOpen(true)}>
        {survey.publishedVersion === null ? t('publish.first') : t('publish.again')}
      </Button>
      {open && (
        <ConfirmDialog
          title={t('publish.title')}
          isOpen
          onClose={close}
          onConfirm={() => publish.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('publish.yes')}
          cancelLabel={t('cancel')}
          confirmDisabled={broken.length > 0 || (untranslated.length > 0 && !waive)}
        >
          <p>{t(survey.responses > 0 ? 'publish.text-answered' : 'publish.text')}</p>
          {broken.length > 0 && (
            <Notice kind="error" title={t('publish.broken')}>
              <FaultList faults={broken} definition={editing.draft.definition} onGo={go} />
            </Notice>
          )}
          {untranslated.length > 0 && (
            <Notice kind="warning" title={t('publish.untranslated')}>
              <FaultList faults={untranslated} definition={editing.draft.definition} onGo={go} />
              <CheckInput name="waive" label={t('publish.waive')} value={waive} onChange={setWaive} />
            </Notice>
          )}
          {error && refused.length === 0 && (
            <Notice kind="error" title={isAppError(error) ? errors(...faultTitle(error.faults[0] ?? error)) : errors('codes.internal')} />
          )}
        </ConfirmDialog>
      )}
    </>
  )
}
