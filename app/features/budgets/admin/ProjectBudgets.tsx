import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProjectParts } from '#app/shell/admin/project-parts.tsx'
import { api } from '#app/shell/api.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { forgetBudgets, roundsQuery } from '../budgets.queries.ts'

/** The budgets of a project. */
export function ProjectBudgets({ project }: { project: string }) {
  const { t } = useTranslation('budgets-admin')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return (
    <ProjectParts
      name="budgets"
      words={{
        title: t('list.title'),
        about: t('list.about'),
        none: t('list.none'),
        noneText: t('list.none-text'),
        add: t('list.add'),
        partName: t('settings.name'),
        save: t('save'),
        failed: t('load-failed'),
      }}
      found={useQuery(roundsQuery(project))}
      renderFacts={(round) => (
        <>
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
        </>
      )}
      add={async (titleTranslations) => {
        const relationships = { project: { type: 'projects' as const, id: project } }
        const { data } = await api.create('budget-rounds', { attributes: { titleTranslations }, relationships })
        await forgetBudgets(queryClient)
        await navigate({ to: '/admin/projects/$id/budgets/$round', params: { id: project, round: data.id } })
      }}
    />
  )
}
