import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { api } from '#app/shell/api.ts'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import type { PersonStatus } from '#app/features/accounts/accounts.schema.ts'
import { mailServiceQuery } from '#app/features/accounts/outbox.queries.ts'
import { invalidatePeople, personRolesQuery } from '#app/features/accounts/people.queries.ts'
import { GiveRole } from './GiveRole.tsx'

const OWN_HUBS = hubSource({ mine: true })

/** The person's roles and where they apply. Changes take effect on the person's next request. */
export function PersonRoles({ person }: { person: { id: string; login: string; status: PersonStatus } }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const roles = useSuspenseQuery(personRolesQuery(person.id)).data
  const isSiteAdmin = useViewer()?.roleName === 'site_admin'
  const mayGive = (useFirstRecord(OWN_HUBS).total ?? 0) > 0 || isSiteAdmin
  const [giving, setGiving] = useState(false)
  const [taking, setTaking] = useState<string>()
  const showFailure = (error: Error) =>
    showToast({
      kind: 'error',
      text: describeError(error),
    })
  const take = useMutation({
    mutationFn: (id: string) => api.remove('memberships', id),
    onSuccess: async () => {
      setTaking(undefined)
      showToast({ text: t('roles.taken') })
      await invalidatePeople(queryClient)
    },
    onError: showFailure,
  })
  const again = useMutation({
    mutationFn: () => api.create('invitations', { relationships: { user: { type: 'users', id: person.id } } }),
    onSuccess: () => showToast({ text: t('invite.sent') }),
    onError: showFailure,
  })
  const invited = person.status === 'invited' && roles.data.some((membership) => membership.meta.can.remove)
  const { data: service } = useQuery({ ...mailServiceQuery, enabled: invited })
  const handsOver = invited && service?.sends === false
  const link = useMutation({
    mutationFn: () => api.create('invitation-links', { relationships: { user: { type: 'users', id: person.id } } }),
    onError: showFailure,
  })
  return (
    <section className="admin-panel">
      <h2>{t('roles.title')}</h2>
      {roles.data.length === 0 && <p>{t('roles.none')}</p>}
      <ul className="admin-list">
        {roles.data.map((membership) => {
          const place = findLinked(roles, membership.relationships.hub)?.title ?? findLinked(roles, membership.relationships.project)?.title
          return (
            <li key={membership.id}>
              <span>
                {admin(`roles.${membership.role}`)}
                {place && ` · ${place}`}
                {membership.mayExportPersonalData && ` · ${t('roles.personal')}`}
              </span>
              {membership.meta.can.remove && (
                <Button kind="plain" size="small" onClick={() => setTaking(membership.id)}>
                  {t('roles.take')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <div className="row">
        {mayGive && (
          <Button kind="secondary" size="small" onClick={() => setGiving(true)}>
            {t('invite.give')}
          </Button>
        )}
        {invited && !handsOver && (
          <Button kind="secondary" size="small" pending={again.isPending} onClick={() => again.mutate()}>
            {t('invite.again')}
          </Button>
        )}
        {handsOver && (
          <Button kind="secondary" size="small" pending={link.isPending} onClick={() => link.mutate()}>
            {t('invite.link')}
          </Button>
        )}
      </div>
      {link.data && (
        <TextInput
          name="invitation-link"
          label={t('invite.link-label')}
          hint={t('invite.link-hint', { name: person.login })}
          value={link.data.data.address}
          onChange={() => {}}
        />
      )}
      {giving && <GiveRole person={person} onClose={() => setGiving(false)} />}
      {taking && (
        <ConfirmDialog
          title={t('roles.take-title')}
          isOpen
          danger
          onClose={() => setTaking(undefined)}
          onConfirm={() => take.mutateAsync(taking).then(undefined, () => undefined)}
          confirmLabel={t('roles.take')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('roles.take-text', { name: person.login })}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
