import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Card, Meta } from '#app/ui/card.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import type { OwnIdentity, ProviderLink } from './identity.schema.ts'
import type { LinkChange } from './identity.search.ts'

/** The viewer's accounts elsewhere that they sign in with. */
export function SignInMethodsPage({
  identities,
  providers,
  done,
}: {
  identities: readonly OwnIdentity[]
  providers: readonly ProviderLink[]
  done?: LinkChange | undefined
}) {
  const { t } = useTranslation('identity')
  return (
    <div className="page wrap-narrow stack">
      {done && <Notice kind="success">{t(`methods.done-${done}`)}</Notice>}
      <PageTitle title={t('methods.title')} lead={t('methods.lead')} />
      {identities.length === 0 ? <p>{t('methods.none')}</p> : <p>{t('methods.unlink-text')}</p>}
      {identities.map((identity) => (
        <Identity key={identity.id} identity={identity} />
      ))}
      {providers.length > 0 && <h2 className="text-step-1">{t('methods.add')}</h2>}
      {providers.map(({ id, name }) => (
        <p key={id}>
          <a href={toLocalHref(`/sign-in/${id}?for=link`)} className={getButtonClass({ kind: 'secondary' })} rel="nofollow">
            {t('methods.link', { name })}
          </a>
        </p>
      ))}
    </div>
  )
}

function Identity({ identity: { id, provider, email, linkedAt, lastUsedAt } }: { identity: OwnIdentity }) {
  const { t } = useTranslation('identity')
  const action = useFormAction()
  const format = useFormat()
  return (
    <Card>
      <div className="row">
        <div className="stack">
          <h2 className="text-step-1">{provider}</h2>
          {email && <p>{email}</p>}
          <Meta
            items={[
              t('methods.since', { date: format.date(linkedAt) }),
              ...(lastUsedAt ? [t('methods.used', { date: format.dateTime(lastUsedAt) })] : []),
            ]}
          />
        </div>
        <div className="row-end">
          <form method="post" action={action}>
            <input type="hidden" name="identity" value={id} />
            <Button type="submit" kind="secondary" size="small" aria-label={t('methods.unlink-named', { provider })}>
              {t('methods.unlink')}
            </Button>
          </form>
        </div>
      </div>
    </Card>
  )
}
