import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { TEXT_GAP_CODES } from '#app/lib/translated-texts.ts'
import { mergeGaps, useGapLabels, useRefusedGaps } from '#app/shell/admin/language-gaps.tsx'
import { getTranslation } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { MissingTexts } from '#app/ui/admin/missing-texts.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { findPersonalKind } from '../../questionnaire/personal-questions.ts'
import { listQuestions } from '../../questionnaire/answers.ts'
import { invalidateSurvey, surveyChangesQuery } from '../../surveys.queries.ts'
import type { Definition } from '../../surveys.schema.ts'
import { ChangeList } from './ChangeList.tsx'
import { LOGIC_FAULTS, listForeignReferenceFaults, type PlacedFault, placeFault } from './draft-faults.ts'
import { FaultList } from './FaultList.tsx'
import type { Survey, SurveyDraft } from './survey-draft.ts'
import type { SurveyEditing } from './use-survey-draft.ts'

interface PublishSurveyProps {
  survey: Survey
  /** Only asks a colleague to look at it before it is published. */
  asks?: boolean
  editing: SurveyEditing
  /** Faults found while editing. */
  faults: readonly PlacedFault[]
  /** The published version; undefined before the first publication. */
  published: Definition | undefined
  onGo: (fault: PlacedFault) => void
  onSelect: (id: string) => void
}

/** Publishes the draft or asks for a review of it, or lists what prevents it. Shows the effects on existing answers first. */
export function PublishSurvey({ survey, asks = false, editing, faults, published, onGo, onSelect }: PublishSurveyProps) {
  const { t } = useTranslation('survey-admin')
  const { describeError } = useFaultTexts()
  const { t: admin } = useTranslation('admin')
  const { t: editor } = useTranslation('editor')
  const { locale } = useSite()
  const format = useFormat()
  const language = useLanguage()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const [saved, setSaved] = useState<number>()
  const [waived, setWaived] = useState<readonly string[]>([])
  const nameGaps = useGapLabels()
  const publish = useMutation({
    mutationFn: async () => {
      const version = await editing.save()
      if (version === undefined) return false
      const attributes = { waived: [...waived], onLockVersion: Number(version) }
      if (asks) await api.create('survey-reviews', { attributes, relationships: { survey: { type: 'surveys', id: survey.id } } })
      else await api.createRelated('surveys', survey.id, 'versions', { type: 'survey-versions', attributes })
      return true
    },
    onSuccess: async (isPublished) => {
      setOpen(false)
      // The editor shows why it could not be saved.
      if (!isPublished) return
      showToast({ text: asks ? editor('publish.asked') : t('publish.done') })
      await invalidateSurvey(queryClient, survey.id)
    },
  })
  const { error } = publish
  const changes = useQuery({
    ...surveyChangesQuery(survey.id, saved ?? 0),
    enabled: open && saved !== undefined && published !== undefined,
  })
  const times = describeTimes(editing.content, (name, at) => t(`publish.${name}`, { when: at && format.dateTime(at) }))
  const openDialog = () => {
    setOpen(true)
    setSaved(undefined)
    // The forecast is based on the stored draft, so save first. If that fails, the editor shows why.
    void editing.save().then((version) => version !== undefined && setSaved(Number(version)))
  }
  const refused =
    isAppError(error) && error.faults.some((fault) => fault.pointer) ? error.faults.map((each) => placeFault(each, editing.content)) : []
  const shown = refused.length > 0 ? refused : faults
  // The server knows more: which translations are out of date.
  const untranslated = mergeGaps(nameGaps(faults.map(({ fault }) => fault)), useRefusedGaps(publish))
  const broken = shown.filter(({ fault }) => !TEXT_GAP_CODES.has(fault.code) && !LOGIC_FAULTS.has(fault.code))
  const impossible = shown.filter(({ fault }) => LOGIC_FAULTS.has(fault.code))
  const forbidden = changes.data?.effects.some(({ kind }) => kind === 'forbidden') ?? false
  const foreign = listForeignReferenceFaults(editing.content)
  const personal = listQuestions(editing.content.definition).filter(findPersonalKind)
  const close = () => {
    setOpen(false)
    publish.reset()
  }
  const goToFault = (fault: PlacedFault) => {
    close()
    onGo(fault)
  }
  return (
    <>
      <Button
        type="button"
        kind={asks && survey.meta.can.publish ? 'secondary' : 'primary'}
        disabled={editing.conflict !== undefined}
        onClick={openDialog}
      >
        {asks ? editor('publish.ask-open') : t(survey.publishedVersion === null ? 'publish.first' : 'publish.again')}
      </Button>
      {open && (
        <ConfirmDialog
          title={asks ? admin('review.ask-title') : t('publish.title')}
          isOpen
          onClose={close}
          onConfirm={() => publish.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={asks ? editor('publish.ask-yes') : t('publish.yes')}
          cancelLabel={t('cancel')}
          confirmDisabled={forbidden || broken.length + impossible.length > 0 || untranslated.some(({ name }) => !waived.includes(name))}
        >
          <p>{asks ? admin('review.ask-text') : `${t(published ? 'publish.text-again' : 'publish.text')} ${times.join(' ')}`}</p>
          {broken.length > 0 && (
            <Notice kind="error" title={t('publish.broken')}>
              <FaultList faults={broken} definition={editing.content.definition} onGo={goToFault} />
            </Notice>
          )}
          {impossible.length > 0 && (
            <Notice kind="error" title={t('publish.impossible')}>
              <FaultList faults={impossible} definition={editing.content.definition} onGo={goToFault} />
            </Notice>
          )}
          {published && (
            <section className="publish-changes" aria-labelledby="publish-changes">
              <h3 id="publish-changes">{t('publish.changes')}</h3>
              {changes.data ? (
                <ChangeList
                  changes={changes.data}
                  draft={editing.content.definition}
                  published={published}
                  onSelect={(id) => {
                    close()
                    onSelect(id)
                  }}
                />
              ) : changes.isError ? (
                <p>{t('load-failed')}</p>
              ) : (
                <Skeleton label={t('publish.changes')} lines={3} />
              )}
            </section>
          )}
          {editing.content.access === 'anyone' && (
            <Notice kind="warning" title={t('publish.more-than-once')}>
              {t('publish.more-than-once-text', { access: t('access.anyone_once') })}
            </Notice>
          )}
          {editing.content.anonymous && personal.length > 0 && (
            <Notice kind="warning" title={t('publish.personal')}>
              <p>{t('publish.personal-text')}</p>
              <ul>
                {personal.map((question) => (
                  <li key={question.id}>{getTranslation(question.title, language, locale)}</li>
                ))}
              </ul>
            </Notice>
          )}
          {foreign.length > 0 && (
            <Notice kind="warning" title={t('publish.foreign')}>
              <p>{t('publish.foreign-text')}</p>
              <FaultList faults={foreign} definition={editing.content.definition} onGo={goToFault} />
            </Notice>
          )}
          {untranslated.length > 0 && (
            <MissingTexts
              title={t('publish.untranslated')}
              hint={admin('gaps.text')}
              waiveAllLabel={admin('gaps.all')}
              missing={untranslated}
              waived={waived}
              onChange={setWaived}
              renderLink={({ name }) => {
                const fault = faults.find((one) => nameGaps([one.fault]).some((gap) => gap.name === name))
                return (
                  fault && (
                    <button type="button" className="link-button" onClick={() => goToFault(fault)}>
                      {t('publish.write')}
                    </button>
                  )
                )
              }}
            />
          )}
          {error && refused.length === 0 && <Notice kind="error" title={describeError(error)} />}
        </ConfirmDialog>
      )}
    </>
  )
}

type TimeTextKey = 'opens' | 'open-now' | 'closes' | 'closed'

/** Opening and closing times after publishing, as sentences. */
function describeTimes(
  { opensAt, closesAt }: Pick<SurveyDraft, 'opensAt' | 'closesAt'>,
  say: (name: TimeTextKey, at?: string) => string,
): string[] {
  const [opens, closes] = [opensAt, closesAt].map((at) => (isHalfMoment(at) ? null : at))
  const now = new Date()
  if (closes && new Date(closes) <= now) return [say('closed', closes)]
  const opening = opens && new Date(opens) > now ? say('opens', opens) : say('open-now')
  return [opening, ...(closes ? [say('closes', closes)] : [])]
}
