import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { type CopiedPart, USUALLY_COPIED_PARTS } from '#app/lib/vocabulary/projects.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetProject } from '../projects.queries.ts'
import { CopiedPartsField } from './CopiedPartsField.tsx'
import type { Project } from './project-draft.ts'

/** Creates a project from the contents of this one. */
export function CopyProject({ project, onClose }: { project: Project; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const { locale } = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [parts, setParts] = useState<readonly CopiedPart[]>(USUALLY_COPIED_PARTS)
  const [opensAt, setOpensAt] = useState<string>()
  const { opening } = useMomentTexts()
  const copy = useMutation({
    mutationFn: () =>
      api.create('projects', {
        attributes: {
          titleTranslations: { [locale]: title.trim() },
          copyOf: project.id,
          copyParts: [...parts],
          ...(opensAt ? { opensAt } : {}),
        },
        relationships: { hub: project.relationships.hub ?? null },
      }),
    onSuccess: async ({ data }) => {
      onClose()
      showToast({ text: t('done.copy') })
      await forgetProject(queryClient)
      await navigate({ to: '/admin/projects/$id', params: { id: data.id } })
    },
  })
  return (
    <ConfirmDialog
      title={t('confirm.copy.title')}
      isOpen
      onClose={onClose}
      onConfirm={() => copy.mutateAsync().then(undefined, () => undefined)}
      confirmLabel={t('confirm.copy.yes')}
      cancelLabel={t('confirm.cancel')}
      confirmDisabled={!title.trim() || (opensAt !== undefined && isHalfMoment(opensAt))}
    >
      <p>{t('confirm.copy.text')}</p>
      <TextInput
        name="copy-title"
        label={t('confirm.copy.name')}
        language={locale}
        value={title}
        onChange={setTitle}
        maxLength={200}
        required
      />
      <CopiedPartsField parts={parts} onChange={setParts} />
      <DateTimeField name="copy-opensAt" label={t('confirm.copy.opens')} value={opensAt} onChange={setOpensAt} {...opening} />
      <p className="meta">{t(opensAt ? 'confirm.copy.moved' : 'confirm.copy.without-dates')}</p>
      {copy.error && <Notice kind="error" title={describeError(copy.error)} />}
    </ConfirmDialog>
  )
}
