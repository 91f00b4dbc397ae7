import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import type { ActivityStatus } from '#app/lib/vocabulary/contributions.ts'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { activityQuery, forgetContributions } from '../../contributions.queries.ts'
import type { ActivityDocument } from './activity-draft.ts'

interface ActivityStatusButtonsProps {
  activity: ActivityDocument
  /** Saves what is typed, so that it is published too. @returns false if that was not possible */
  save?: () => Promise<boolean>
}

/** Publishes an activity, archives or restores it. A refusal says what is missing and leads there. */
export function ActivityStatusButtons({ activity, save }: ActivityStatusButtonsProps) {
  const { t } = useTranslation('contributions-admin')
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: async ({ status, waived }: { status: ActivityStatus; waived?: string[] }) => {
      if (save && !(await save())) return
      // A save makes a new version.
      const { data } = save ? await queryClient.fetchQuery({ ...activityQuery(activity.id), staleTime: 0 }) : { data: activity }
      await api.update(
        'activities',
        activity.id,
        { attributes: { status, ...(waived ? { waived } : {}) } },
        { lockVersion: data.meta.lockVersion },
      )
      showToast({ text: t('common.saved') })
    },
    onSettled: () => forgetContributions(queryClient),
  })
  const { faults } = useEditorTexts(change.error)
  const tried = change.variables
  const needsMap = isAppError(change.error) && change.error.faults.some(({ code }) => code === 'map-missing')
  if (!activity.meta.can.publish) return null
  const { status, title } = activity
  return (
    <>
      {needsMap && <MapMissing />}
      {!needsMap && faults.map(({ message }) => <Notice key={message} kind="error" title={message} />)}
      <LanguageGapsDialog
        error={change.error}
        onPublish={async (waived) => tried && change.mutateAsync({ ...tried, waived })}
        onClose={change.reset}
      />
      {status === 'published' ? (
        <Button size="small" kind="secondary" pending={change.isPending} onClick={() => change.mutate({ status: 'archived' })}>
          {t('activities.archive')}
          <span className="visually-hidden"> {title}</span>
        </Button>
      ) : (
        <Button size="small" pending={change.isPending} onClick={() => change.mutate({ status: 'published' })}>
          {t(status === 'draft' ? 'activities.publish' : 'activities.restore')}
          <span className="visually-hidden"> {title}</span>
        </Button>
      )}
    </>
  )
}

/** Why places cannot be published, and where the map is given. */
export function MapMissing() {
  const { t } = useTranslation('contributions-admin')
  const maySetMap = useViewer()?.roleName === 'site_admin'
  return (
    <Notice kind="error" title={t('activity.map.missing')}>
      <p>{t('activity.map.why')}</p>
      {maySetMap ? (
        <p>
          <Link to="/admin/settings" hash="street-map">
            {t('activity.map.go')}
          </Link>
        </p>
      ) : (
        <p>{t('activity.map.ask')}</p>
      )}
    </Notice>
  )
}
