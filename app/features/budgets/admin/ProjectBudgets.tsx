import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import type { Translated } from '#app/lib/translated.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetBudgets, roundsQuery } from '../budgets.queries.ts'

/** The budgets of a project, below its activities. Each is changed on a page of its own. */
export function ProjectBudgets({ project }: { project: string }) {
  const { t } = useTranslation('budgets-admin')
  const { t: common } = useTranslation()
  const rounds = useQuery(roundsQuery(project))
  const [adding, setAdding] = useState(false)
  if (rounds.isError) return <Notice kind="error" title={t('load-failed')} />
  if (!rounds.data) return <Skeleton label={common('loading')} lines={2} />
  return (
    <section className="admin-stack" aria-labelledby="budgets-heading">
      <h2 id="budgets-heading">{t('list.title')}</h2>
      <p>{t('list.about')}</p>
      {rounds.data.data.length === 0 ? (
        <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>
      ) : (
        <ul className="admin-list">
          {rounds.data.data.map((round) => (
            <li key={round.id} className="admin-panel">
              <strong>{round.title}</strong>
              <span className="row">
                <Badge tone={round.phase === 'voting' ? 'ok' : 'neutral'} hollow={round.phase === 'draft'}>
                  {t(`phases.${round.phase}`)}
                </Badge>
                <Link
                  to="/admin/projects/$id/budgets/$round"
                  params={{ id: project, round: round.id }}
                  className={getButtonClass({ kind: 'plain', size: 'small' })}
                >
                  {t('list.open')}
                  <span className="visually-hidden"> {round.title}</span>
                </Link>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button kind="secondary" onClick={() => setAdding(true)}>
          {t('list.add')}
        </Button>
      </div>
      {adding && <AddRound project={project} onClose={() => setAdding(false)} />}
    </section>
  )
}

function AddRound({ project, onClose }: { project: string; onClose: () => void }) {
  const { t } = useTranslation('budgets-admin')
  const site = useSite()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [titleTranslations, setTitle] = useState<Translated>({})
  const save = useMutation({
    mutationFn: () =>
      api.create('budget-rounds', { attributes: { titleTranslations }, relationships: { project: { type: 'projects', id: project } } }),
    onSuccess: async ({ data }) => {
      await forgetBudgets(queryClient)
      await navigate({ to: '/admin/projects/$id/budgets/$round', params: { id: project, round: data.id } })
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog title={t('list.add')} saveLabel={t('save')} save={save} faults={words.faults} onClose={onClose}>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'titleTranslations', label: t('settings.name') }]}
        values={{ titleTranslations }}
        onChange={(_, text) => setTitle(text)}
        messageOf={words.messageOf}
        words={words.texts}
      />
    </EditDialog>
  )
}
