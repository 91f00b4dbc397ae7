import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { getFormatter } from '#app/lib/format.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { mergeGaps, useRefusedGaps } from '#app/shell/admin/language-gaps.tsx'
import { DutyReason, useRefusedDuties } from '#app/shell/admin/duty-reason.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { MissingTexts } from '#app/ui/admin/missing-texts.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { ProjectContent } from '../project-content.schema.ts'
import { forgetProject } from '../projects.queries.ts'
import { CopyProject } from './CopyProject.tsx'
import { type Project, useMissingProjectTexts } from './project-draft.ts'

type Step = 'publish' | 'schedule' | 'review' | 'archive' | 'unpublish' | 'remove'

const PUBLISHING: ReadonlySet<Step> = new Set(['publish', 'schedule', 'review'])

/** Actions on the project as a whole; each one explains its consequences before it runs. */
export function ProjectActions({ project, content, unsaved }: { project: Project; content: ProjectContent; unsaved: boolean }) {
  const { t } = useTranslation('admin')
  const { t: editor } = useTranslation('editor')
  const { describeError } = useFaultTexts()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [step, setStep] = useState<Step>()
  const { words: moment } = useMomentTexts()
  const [publishAt, setPublishAt] = useState<string>()
  const when = step === 'schedule' && publishAt && !isHalfMoment(publishAt) ? format.dateTime(publishAt) : undefined
  const [waived, setWaived] = useState<readonly string[]>([])
  const [dutyReason, setDutyReason] = useState('')
  const findMissing = useMissingProjectTexts()
  const [copies, setCopies] = useState(false)
  const { id, status, meta } = project
  const before = status === 'draft' || status === 'in_review' || status === 'scheduled'

  const act = useMutation({
    mutationFn: async (what: Step | 'withdraw' | 'bring-back') => {
      if (what === 'archive') return void (await api.createRelated('projects', id, 'archivals', { type: 'archivals' }))
      if (what === 'bring-back') return api.remove('archivals', id)
      if (what === 'withdraw' || what === 'unpublish') return api.remove('publications', id)
      if (what === 'remove') return api.remove('projects', id)
      const attributes = {
        waived: [...waived],
        ...(dutyReason && { dutyReason }),
        ...(what === 'schedule' && publishAt ? { publishAt } : {}),
      }
      return void (await api.createRelated('projects', id, 'publications', { type: 'publications', attributes }))
    },
    onSuccess: async (_, what) => {
      setStep(undefined)
      setDutyReason('')
      showToast({ text: t(`done.${what}`, { when }) })
      if (what === 'remove') {
        await forgetProject(queryClient)
        return navigate({ to: '/admin/projects' })
      }
      return forgetProject(queryClient, id)
    },
  })
  const failure = act.error
  const refused = useRefusedGaps(act)
  const duties = useRefusedDuties(act)
  const missing = step && PUBLISHING.has(step) ? mergeGaps(findMissing(content), refused) : []
  const closeDialog = () => {
    setStep(undefined)
    act.reset()
  }

  const more: MenuAction[] = [
    ...(meta.can.copy ? [{ id: 'copy', label: t('actions.copy'), icon: 'copy' as const, onAction: () => setCopies(true) }] : []),
    ...(before && meta.can.publish ? [{ id: 'schedule', label: t('actions.schedule'), onAction: () => setStep('schedule') }] : []),
    // Those who may publish return a request for a review with a reason.
    ...((status === 'in_review' && !meta.can.publish) || status === 'scheduled'
      ? [{ id: 'withdraw', label: t('actions.withdraw'), onAction: () => act.mutate('withdraw') }]
      : []),
    ...(status === 'published' && meta.can.publish
      ? [{ id: 'archive', label: t('actions.archive'), icon: 'archive' as const, onAction: () => setStep('archive') }]
      : []),
    ...(status === 'published' && meta.can.publish
      ? [{ id: 'unpublish', label: t('actions.unpublish'), onAction: () => setStep('unpublish') }]
      : []),
    ...(status === 'archived' && meta.can.publish
      ? [{ id: 'bring-back', label: t('actions.bring-back'), onAction: () => act.mutate('bring-back') }]
      : []),
    ...(meta.can.remove
      ? [{ id: 'remove', label: t('actions.remove'), icon: 'trash' as const, danger: true, onAction: () => setStep('remove') }]
      : []),
  ]
  const main: Step | undefined = !before
    ? undefined
    : meta.can.publish
      ? 'publish'
      : meta.can.requestReview && status === 'draft'
        ? 'review'
        : undefined

  return (
    <>
      {main && (
        <Button onClick={() => setStep(main)} disabled={unsaved}>
          {t(`actions.${main}`)}
        </Button>
      )}
      {more.length > 0 && <Menu label={t('actions.more')} look={{ kind: 'secondary' }} groups={[more]} />}
      {copies && <CopyProject project={project} onClose={() => setCopies(false)} />}
      {step && (
        <ConfirmDialog
          title={t(`confirm.${step}.title`)}
          isOpen
          onClose={closeDialog}
          onConfirm={() => act.mutateAsync(step).then(undefined, () => undefined)}
          confirmLabel={when ? t('confirm.schedule.at', { when }) : t(`confirm.${step}.yes`)}
          cancelLabel={t('confirm.cancel')}
          danger={step === 'remove' || step === 'unpublish'}
          confirmDisabled={
            (step === 'schedule' && !when) ||
            missing.some(({ name }) => !waived.includes(name)) ||
            (duties.length > 0 && dutyReason.trim() === '')
          }
        >
          <p>{t(step === 'publish' ? `confirm.publish.text-${project.visibility}` : `confirm.${step}.text`, { title: project.title })}</p>
          {step === 'schedule' && (
            <DateTimeField name="publishAt" label={t('fields.publishAt')} value={publishAt} onChange={setPublishAt} {...moment} />
          )}
          {missing.length > 0 && (
            <MissingTexts
              title={editor('publish.missing')}
              hint={editor('publish.missing-text')}
              waiveAllLabel={editor('publish.missing-all')}
              missing={missing}
              waived={waived}
              onChange={setWaived}
            />
          )}
          {duties.length > 0 && <DutyReason duties={duties} reason={dutyReason} onChange={setDutyReason} />}
          {failure && refused.length === 0 && duties.length === 0 && <Notice kind="error" title={describeError(failure)} />}
        </ConfirmDialog>
      )}
    </>
  )
}
