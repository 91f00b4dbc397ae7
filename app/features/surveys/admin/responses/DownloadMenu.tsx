import { useTranslation } from 'react-i18next'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { EXPORT_FORMATS } from '../../export/export.schema.ts'
import type { Survey } from '../editor/survey-draft.ts'

/** All responses as a file of one of the formats; with names only for those who may see personal data. */
export function DownloadMenu({ survey }: { survey: Survey }) {
  const { t } = useTranslation('survey-admin')
  // A file is no page: the browser itself fetches it, not the router.
  const files = (personal: boolean): MenuAction[] =>
    EXPORT_FORMATS.map((format) => ({
      id: `${format}${personal ? '-personal' : ''}`,
      label: t(`download.${format}`) + (personal ? ` ${t('download.personal')}` : ''),
      onAction: () => window.location.assign(`/admin/surveys/${survey.id}/download/${format}${personal ? '?personal=true' : ''}`),
    }))
  return (
    <Menu
      label={t('download.label')}
      look={{ kind: 'secondary' }}
      groups={[files(false), ...(survey.meta.can.exportPersonalData ? [files(true)] : [])]}
    />
  )
}
