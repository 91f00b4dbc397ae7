import { useTranslation } from 'react-i18next'
import { Menu } from '#app/ui/admin/menu.tsx'
import type { Survey } from '../editor/survey-draft.ts'

/** All responses as a file; with names only for those who may see personal data. */
export function DownloadMenu({ survey }: { survey: Survey }) {
  const { t } = useTranslation('survey-admin')
  const address = `/admin/surveys/${survey.id}/responses.csv`
  return (
    <Menu
      label={t('download.label')}
      look={{ kind: 'secondary' }}
      groups={[
        [
          { id: 'csv', label: t('download.csv'), href: address },
          ...(survey.meta.can.exportPersonalData
            ? [{ id: 'personal', label: t('download.personal'), href: `${address}?personal=true` }]
            : []),
        ],
      ]}
    />
  )
}
