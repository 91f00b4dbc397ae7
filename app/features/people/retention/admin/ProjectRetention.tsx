import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetRetention, projectRetentionQuery } from '../retention.queries.ts'
import { MAX_RETENTION_REASON } from '../retention.schema.ts'
import { useMonthChoices } from './use-month-choices.ts'

const AS_SITE = ''

/** When a project's personal data goes, and for how long it is kept. */
export function ProjectRetention({ project }: { project: string }) {
  const { t } = useTranslation('privacy')
  const { data: retention } = useSuspenseQuery(projectRetentionQuery(project)).data
  return (
    <section className="admin-panel admin-stack" aria-labelledby="kept">
      <h2 id="kept">{t('kept.tab')}</h2>
      <p>{t('kept.about')}</p>
      <RemovalDay retention={retention} />
      {retention.meta.can.update && <ChangeMonths key={retention.meta.lockVersion} retention={retention} />}
    </section>
  )
}

function RemovalDay({ retention }: { retention: Resource<'project-retentions'> }) {
  const { t } = useTranslation('privacy')
  const format = useFormat()
  const { id, closedAt, removalAt, removedAt, toldAt } = retention
  const [now] = useState(() => new Date())
  return (
    <>
      {removalAt && (
        <Notice kind="info" title={t('kept.at', { date: format.date(removalAt), when: format.relative(removalAt, now) })}>
          <p>
            {t('kept.export')}
            {format.colon}{' '}
            <Link to="/admin/surveys" search={{ project: id }}>
              {t('kept.export-answers')}
            </Link>{' '}
            ·{' '}
            <Link to="/admin/contributions" search={{ project: id }}>
              {t('kept.export-contributions')}
            </Link>
          </p>
        </Notice>
      )}
      <ul className="admin-list">
        <li>{closedAt ? t(new Date(closedAt) <= now ? 'kept.closed' : 'kept.closes', { date: format.date(closedAt) }) : t('kept.open')}</li>
        {closedAt && !removalAt && !removedAt && <li>{t('kept.none')}</li>}
        {removalAt && toldAt && <li>{t('kept.told', { date: format.date(toldAt) })}</li>}
        {removedAt && <li>{t('kept.removed', { date: format.date(removedAt) })}</li>}
      </ul>
    </>
  )
}

function ChangeMonths({ retention }: { retention: Resource<'project-retentions'> }) {
  const { t } = useTranslation('privacy')
  const { nameMonths, listChoices } = useMonthChoices()
  const queryClient = useQueryClient()
  const [keptMonths, setKeptMonths] = useState(retention.keptMonths)
  const [reason, setReason] = useState('')
  const save = useMutation({
    mutationFn: () =>
      api.update(
        'project-retentions',
        retention.id,
        { attributes: { keptMonths, reason } },
        { lockVersion: retention.meta.lockVersion ?? 1 },
      ),
    onSuccess: () => {
      showToast({ text: t('kept.saved') })
      return forgetRetention(queryClient)
    },
  })
  const { faults, messageOf } = useEditorTexts(save.error)
  return (
    <form
      noValidate
      className="admin-form"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {faults
        .filter(({ message }) => message !== messageOf('reason'))
        .map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
      <SelectInput
        name="keptMonths"
        label={t('kept.project')}
        value={keptMonths === null ? AS_SITE : String(keptMonths)}
        onChange={(value) => setKeptMonths(value === AS_SITE ? null : Number(value))}
        options={[
          { value: AS_SITE, label: t('kept.as-site', { time: nameMonths(retention.siteMonths) }) },
          ...listChoices(retention.keptMonths),
        ]}
      />
      <TextInput
        name="reason"
        label={t('kept.reason')}
        hint={t('kept.reason-hint')}
        value={reason}
        onChange={setReason}
        error={messageOf('reason')}
        maxLength={MAX_RETENTION_REASON}
        required
      />
      <span className="row">
        <Button type="submit" pending={save.isPending} disabled={keptMonths === retention.keptMonths}>
          {t('kept.save')}
        </Button>
      </span>
    </form>
  )
}
