import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Menu } from '#app/ui/admin/menu.tsx'
import type { Survey } from '../editor/survey-draft.ts'

/** Menu for adding responses from elsewhere. For the survey's editors, once it is published. */
export function AddResponses({ survey }: { survey: Survey }) {
  const { t } = useTranslation('survey-data')
  const navigate = useNavigate()
  if (!survey.meta.can.update || survey.publishedVersion === null) return null
  const params = { survey: survey.id }
  return (
    <Menu
      label={t('bring-in.label')}
      look={{ kind: 'secondary' }}
      groups={[
        [
          {
            id: 'paper',
            label: t('bring-in.paper'),
            onAction: () => void navigate({ to: '/admin/surveys/$survey/responses/paper', params }),
          },
          { id: 'csv', label: t('bring-in.csv'), onAction: () => void navigate({ to: '/admin/surveys/$survey/responses/table', params }) },
        ],
      ]}
    />
  )
}
