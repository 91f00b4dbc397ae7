import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { siteAdministratorsQuery, siteQuery } from '../sites.queries.ts'

/** Who administers a site. While none of them can sign in, the platform hands over the invitation or invites someone else. */
export function SiteAdministrators({ siteId }: { siteId: string }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: people } = useTranslation('people')
  const site = useSuspenseQuery(siteQuery(siteId)).data
  const { data: administrators, meta } = useSuspenseQuery(siteAdministratorsQuery(siteId)).data
  const isWaiting = !administrators.some(({ state }) => state === 'active')
  return (
    <div className="admin-stack">
      <PageHeader title={t('administrators.title', { name: site.name })} meta={<Link to="/admin/sites">{admin('nav.sites')}</Link>} />
      {isWaiting && meta['sendsMail'] !== true && (
        <Notice kind="warning" title={t('administrators.no-mail')}>
          {t('administrators.no-mail-text')}
        </Notice>
      )}
      <section className="admin-panel">
        {administrators.length === 0 && <EmptyState title={t('administrators.none')}>{t('administrators.none-text')}</EmptyState>}
        <ul className="admin-list">
          {administrators.map((one) => (
            <li key={one.id}>
              <span className="breaks-anywhere">{one.email}</span>
              <Badge tone={one.state === 'active' ? 'ok' : 'warn'}>{people(`status.${one.state}`)}</Badge>
            </li>
          ))}
        </ul>
        {isWaiting && administrators.map((one) => <HandOver key={one.id} administrator={one} sendsMail={meta['sendsMail'] === true} />)}
      </section>
      {isWaiting ? (
        <Invite siteId={siteId} isAgain={administrators.length > 0} />
      ) : (
        <p className="meta">{t('administrators.own-matter')}</p>
      )}
    </div>
  )
}

/** Sends the invitation again, or shows its link if the site sends no email. */
function HandOver({ administrator, sendsMail }: { administrator: { id: string; email: string }; sendsMail: boolean }) {
  const { t } = useTranslation('platform')
  const { t: people } = useTranslation('people')
  const invite = useMutation({
    mutationFn: () =>
      api.create('site-invitations', {
        relationships: { administrator: { type: 'site-administrators', id: administrator.id } },
      }),
    onSuccess: ({ data }) => {
      if (data.address === null) showToast({ text: people('invite.sent') })
    },
  })
  const address = invite.data?.data.address
  useEffect(() => {
    // The button that created the link is gone.
    if (address) document.getElementById('invitation-link')?.focus()
  }, [address])
  const words = useEditorTexts(invite.error)
  const copy = async () => {
    await navigator.clipboard.writeText(address ?? '')
    showToast({ text: t('administrators.copied') })
  }
  return (
    <div className="admin-form">
      {words.faults.length > 0 && <FaultSummary title={words.form.problem} errors={words.faults} />}
      {address ? (
        <>
          <TextInput
            name="invitation-link"
            label={people('invite.link-label')}
            hint={people('invite.link-hint', { name: administrator.email })}
            value={address}
            onChange={() => {}}
          />
          <div className="form-actions">
            <Button onClick={() => void copy()}>{t('administrators.copy')}</Button>
          </div>
        </>
      ) : (
        <div className="form-actions">
          <Button pending={invite.isPending} onClick={() => invite.mutate()}>
            {sendsMail ? people('invite.again') : people('invite.link')}
            <span className="visually-hidden"> {administrator.email}</span>
          </Button>
        </div>
      )}
    </div>
  )
}

function Invite({ siteId, isAgain }: { siteId: string; isAgain: boolean }) {
  const { t } = useTranslation('platform')
  const queryClient = useQueryClient()
  const [email, setEmail] = useState('')
  const invite = useMutation({
    mutationFn: () => api.create('site-administrators', { attributes: { email }, relationships: { site: { type: 'sites', id: siteId } } }),
    onSuccess: async () => {
      setEmail('')
      showToast({ text: t('administrators.invited') })
      await queryClient.invalidateQueries({ queryKey: siteAdministratorsQuery(siteId).queryKey })
    },
  })
  const words = useEditorTexts(invite.error)
  return (
    <section className="admin-panel">
      <h2>{isAgain ? t('administrators.instead') : t('administrators.invite')}</h2>
      {isAgain && <p>{t('administrators.instead-text')}</p>}
      <form
        className="admin-form"
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate()
        }}
      >
        {words.faults.length > 0 && <FaultSummary title={words.form.problem} errors={words.faults} />}
        <TextInput
          name="email"
          type="email"
          label={t('administrators.email')}
          value={email}
          onChange={setEmail}
          error={words.messageOf('email')}
          required
        />
        <div className="form-actions">
          <Button type="submit" kind="secondary" pending={invite.isPending}>
            {t('administrators.invite-do')}
          </Button>
        </div>
      </form>
    </section>
  )
}
