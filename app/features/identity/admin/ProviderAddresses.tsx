import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import type { Provider } from './provider.ts'

/** What the provider has to know of this site. */
export function ProviderAddresses({ provider: { id, callbackUrl, logoutUrl, keysUrl, metadataUrl } }: { provider: Provider }) {
  const { t } = useTranslation('identity-admin')
  const rotate = useMutation({
    mutationFn: () => api.create('identity-provider-keys', { relationships: { provider: { type: 'identity-providers', id } } }),
  })
  const show = (address: string) => <code className="hook-address">{address}</code>
  return (
    <section className="admin-panel">
      <h2>{t('addresses')}</h2>
      <DefinitionList
        items={[
          ...(metadataUrl ? [{ term: t('metadata'), value: show(metadataUrl) }] : []),
          { term: t(metadataUrl ? 'assertion-url' : 'callback'), value: show(callbackUrl) },
          ...(metadataUrl ? [] : [{ term: t('logout'), value: show(logoutUrl) }]),
          ...(keysUrl ? [{ term: t('keys'), value: show(keysUrl) }] : []),
        ]}
      />
      {keysUrl && (
        <>
          <p>{t('rotate-text')}</p>
          <div className="row">
            <Button kind="secondary" size="small" pending={rotate.isPending} onClick={() => rotate.mutate()}>
              {t('rotate')}
            </Button>
            <output>{rotate.isSuccess && t('rotated')}</output>
          </div>
        </>
      )}
    </section>
  )
}
