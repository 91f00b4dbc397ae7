import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SITE_ROLES, type SiteRole } from '#app/features/accounts/accounts.schema.ts'
import { mailServiceQuery } from '#app/features/accounts/outbox.queries.ts'
import { invalidatePeople, placesQuery, projectChoicesQuery } from '#app/features/accounts/people.queries.ts'

/** Gives a role to a person of the site or to an email address; people without an account are invited. */
export function GiveRole({ person, onClose }: { person?: { id: string; login: string }; onClose: () => void }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const site = useSite()
  const ofSite = useViewer()?.roleName === 'site_admin'
  const hubs = useSuspenseQuery(placesQuery).data.data
  const roles: readonly SiteRole[] = ofSite ? SITE_ROLES.filter((one) => one !== 'hub_admin' || hubs.length > 0) : ['project_admin']
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<SiteRole>(ofSite && hubs.length === 0 ? 'site_admin' : 'project_admin')
  const [hub, setHub] = useState(hubs[0]?.id ?? '')
  const [find, setFind] = useState('')
  const [project, setProject] = useState('')
  const [personal, setPersonal] = useState(false)
  const projects = useQuery({ ...projectChoicesQuery(find), enabled: role === 'project_admin' }).data?.data ?? []
  const mine = projects.filter((one) => ofSite || hubs.some((own) => own.id === one.relationships.hub?.id))
  const waits = useQuery({ ...mailServiceQuery, enabled: !person }).data?.sends === false
  const chosen = mine.find((one) => one.id === project)?.id ?? mine[0]?.id ?? ''
  const give = useMutation({
    mutationFn: () =>
      api.create('memberships', {
        attributes: { role, ...(person ? {} : { email }), ...(role === 'project_admin' ? { mayExportPersonalData: personal } : {}) },
        relationships: {
          ...(person ? { user: { type: 'users' as const, id: person.id } } : {}),
          ...(role === 'hub_admin' ? { hub: { type: 'hubs' as const, id: hub } } : {}),
          ...(role === 'project_admin' && chosen ? { project: { type: 'projects' as const, id: chosen } } : {}),
        },
      }),
    onSuccess: async () => {
      showToast({ text: t(person ? 'invite.given' : waits ? 'invite.waits' : 'invite.sent') })
      onClose()
      await invalidatePeople(queryClient)
    },
  })
  return (
    <Dialog
      title={person ? t('invite.role-for', { name: person.login }) : t('invite.open')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{
        label: t(person ? 'invite.give' : waits ? 'invite.do' : 'invite.send'),
        onSubmit: () => give.mutate(),
        pending: give.isPending,
      }}
    >
      <div className="admin-form">
        {!person && (
          <TextInput
            name="email"
            type="email"
            label={t('table.email')}
            hint={t(waits ? 'invite.hint-waits' : 'invite.hint', { site: site.name })}
            value={email}
            onChange={setEmail}
            required
          />
        )}
        <SelectInput
          name="given-role"
          label={t('table.role')}
          hint={t(`invite.about.${role}`)}
          value={role}
          onChange={setRole}
          options={roles.map((value) => ({ value, label: admin(`roles.${value}`) }))}
        />
        {role === 'hub_admin' && (
          <SelectInput
            name="given-hub"
            label={t('table.hub')}
            value={hub}
            onChange={setHub}
            options={hubs.map((one) => ({ value: one.id, label: one.title }))}
          />
        )}
        {role === 'project_admin' && (
          <>
            <TextInput name="find" type="search" label={t('invite.find-project')} value={find} onChange={setFind} />
            <SelectInput
              name="project"
              label={t('invite.project')}
              value={chosen}
              onChange={setProject}
              options={mine.map((one) => ({ value: one.id, label: one.title }))}
            />
            <CheckInput name="personal" label={t('invite.personal')} value={personal} onChange={setPersonal} />
          </>
        )}
        {give.isError && <Notice kind="error" title={describeError(give.error)} />}
      </div>
    </Dialog>
  )
}
