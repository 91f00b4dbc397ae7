import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { decisionQuery, forgetHeard, themesQuery } from '../heard.queries.ts'
import { type DecisionFields, DecisionForm } from './DecisionForm.tsx'

interface DecisionEditorProps {
  project: { id: string; title: string }
  id: string
}

/** One decision. Once it is public, its changes are too. */
export function DecisionEditor({ project, id }: DecisionEditorProps) {
  const { t } = useTranslation('heard-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: decision } = useSuspenseQuery(decisionQuery(id)).data
  const themes = useSuspenseQuery(themesQuery(project.id)).data.data
  const [delayReason, setDelayReason] = useState('')
  const [isRemoving, setRemoving] = useState(false)
  const { fields, changed, values, change, reset } = useEditedFields<DecisionFields>({
    titleTranslations: decision.titleTranslations ?? {},
    textTranslations: decision.textTranslations ?? {},
    reasonTranslations: decision.reasonTranslations ?? {},
    bodyTranslations: decision.bodyTranslations ?? {},
    deliveryNoteTranslations: decision.deliveryNoteTranslations ?? {},
    outcome: decision.outcome,
    decidedOn: decision.decidedOn,
    delivery: decision.delivery,
    dueOn: decision.dueOn,
    themes: decision.relationships.themes?.map((theme) => theme.id) ?? [],
  })
  const asksForDelay = decision.publishedAt !== null && decision.dueOn !== null && fields.dueOn !== decision.dueOn
  const save = useMutation({
    mutationFn: ({ sent, waived }: { sent: Partial<DecisionFields>; waived?: string[] }) => {
      const { themes: chosen, ...attributes } = sent
      return api.update(
        'decisions',
        id,
        {
          attributes: { ...attributes, ...(asksForDelay ? { delayReason } : {}), ...(waived ? { waived } : {}) },
          ...(chosen && { relationships: { themes: chosen.map((theme) => ({ type: 'themes' as const, id: theme })) } }),
        },
        { lockVersion: decision.meta.lockVersion },
      )
    },
    onSuccess: async (_, { sent }) => {
      await forgetHeard(queryClient)
      reset(sent)
      setDelayReason('')
    },
    onError: () => forgetHeard(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('decisions', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/projects/$id/heard', params: { id: project.id } })
      await forgetHeard(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <>
      <PageHeader
        title={decision.title}
        status={
          decision.publishedAt ? (
            <Badge tone="ok">{format.shortDate(decision.publishedAt)}</Badge>
          ) : (
            <Badge hollow>{t('decisions.draft')}</Badge>
          )
        }
        meta={
          <Link to="/admin/projects/$id/heard" params={{ id: project.id }}>
            {t('title')}
          </Link>
        }
        actions={
          !decision.publishedAt &&
          decision.meta.can.update && (
            <Button kind="secondary" onClick={() => setRemoving(true)}>
              {t('decisions.remove')}
            </Button>
          )
        }
      />
      <ContentForm
        unsaved={changed.length}
        saving={save.isPending}
        faults={words.faults}
        stale={words.stale}
        onSave={() => save.mutate({ sent: values })}
        words={words.form}
      >
        <DecisionForm
          fields={fields}
          themes={themes.filter(({ id: theme, relationships }) => !relationships.mergedInto || fields.themes.includes(theme))}
          words={words}
          onChange={change}
          {...(asksForDelay ? { delay: { value: delayReason, onChange: setDelayReason } } : {})}
        />
      </ContentForm>
      <LanguageGapsDialog
        error={save.error}
        onPublish={(waived) => save.mutateAsync({ sent: values, waived })}
        onClose={save.reset}
        publishLabel={admin('save.save')}
      />
      {isRemoving && (
        <ConfirmDialog
          title={t('decisions.remove-title', { title: decision.title })}
          isOpen
          danger
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('decisions.remove')}
          cancelLabel={admin('confirm.cancel')}
        />
      )}
    </>
  )
}
