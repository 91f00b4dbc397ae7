import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { forgetHeard, themesQuery } from '../heard.queries.ts'
import { type DecisionFields, DecisionForm } from './DecisionForm.tsx'

const EMPTY: DecisionFields = {
  titleTranslations: {},
  textTranslations: {},
  reasonTranslations: {},
  bodyTranslations: {},
  deliveryNoteTranslations: {},
  outcome: 'taken_up',
  decidedOn: '',
  delivery: 'planned',
  dueOn: null,
  themes: [],
}

/** A decision that does not exist yet. It stays a draft until the decisions of the project are published. */
export function NewDecision({ project }: { project: { id: string } }) {
  const { t } = useTranslation('heard-admin')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const themes = useSuspenseQuery(themesQuery(project.id)).data.data
  const [fields, setFields] = useState(EMPTY)
  const save = useMutation({
    mutationFn: () => {
      const { themes: chosen, ...attributes } = fields
      return api.create('decisions', {
        attributes,
        relationships: {
          project: { type: 'projects', id: project.id },
          themes: chosen.map((theme) => ({ type: 'themes' as const, id: theme })),
        },
      })
    },
    onSuccess: async ({ data }) => {
      await forgetHeard(queryClient)
      await navigate({ to: '/admin/projects/$id/heard/decisions/$decision', params: { id: project.id, decision: data.id } })
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <>
      <PageHeader
        title={t('decisions.new')}
        meta={
          <Link to="/admin/projects/$id/heard" params={{ id: project.id }}>
            {t('title')}
          </Link>
        }
      />
      <ContentForm
        unsaved={fields === EMPTY ? 0 : 1}
        saving={save.isPending}
        faults={words.faults}
        stale={false}
        onSave={() => save.mutate()}
        words={words.form}
      >
        <DecisionForm
          fields={fields}
          themes={themes.filter(({ relationships }) => !relationships.mergedInto)}
          words={words}
          onChange={(next) => setFields((now) => ({ ...now, ...next }))}
        />
      </ContentForm>
    </>
  )
}
