import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource, projectSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SITE_ROLES, type SiteRole } from '#app/features/accounts/accounts.schema.ts'
import { mailServiceQuery } from '#app/features/accounts/outbox.queries.ts'
import { invalidatePeople } from '#app/features/accounts/people.queries.ts'

const HUBS = hubSource({ mine: true })
const ALL_PROJECTS = projectSource()
const OWN_PROJECTS = projectSource({ managed: true })

/** Gives a role to a person of the site or to an email address; people without an account are invited. */
export function GiveRole({ person, onClose }: { person?: { id: string; login: string }; onClose: () => void }) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const site = useSite()
  const ofSite = useViewer()?.roleName === 'site_admin'
  const hubs = useFirstRecord(HUBS)
  const hasHubs = hubs.total !== 0
  const roles: readonly SiteRole[] = ofSite ? SITE_ROLES.filter((one) => one !== 'hub_admin' || hasHubs) : ['project_admin']
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<SiteRole>('project_admin')
  const [chosenHub, setHub] = useState<string | null>(null)
  const [chosenProject, setProject] = useState<string | null>(null)
  const [personal, setPersonal] = useState(false)
  const projects = ofSite ? ALL_PROJECTS : OWN_PROJECTS
  const firstProject = useFirstRecord(projects, role === 'project_admin').first
  const hub = chosenHub ?? hubs.first?.id ?? null
  const project = chosenProject ?? firstProject?.id ?? null
  const waits = useQuery({ ...mailServiceQuery, enabled: !person }).data?.sends === false
  const give = useMutation({
    mutationFn: () =>
      api.create('memberships', {
        attributes: { role, ...(person ? {} : { email }), ...(role === 'project_admin' ? { mayExportPersonalData: personal } : {}) },
        relationships: {
          ...(person ? { user: { type: 'users' as const, id: person.id } } : {}),
          ...(role === 'hub_admin' && hub ? { hub: { type: 'hubs' as const, id: hub } } : {}),
          ...(role === 'project_admin' && project ? { project: { type: 'projects' as const, id: project } } : {}),
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
        {role === 'hub_admin' && <RecordChoice name="given-hub" label={t('table.hub')} source={HUBS} value={hub} onChange={setHub} />}
        {role === 'project_admin' && (
          <>
            <RecordChoice name="project" label={t('invite.project')} source={projects} value={project} onChange={setProject} />
            <CheckInput name="personal" label={t('invite.personal')} value={personal} onChange={setPersonal} />
          </>
        )}
        {give.isError && <Notice kind="error" title={describeError(give.error)} />}
      </div>
    </Dialog>
  )
}
