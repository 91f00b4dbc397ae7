import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '#app/shell/api.ts'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { PROVIDERS_KEY } from '../identity.queries.ts'
import type { Provider } from './provider.ts'

/** What the provider has to know of this site. */
export function ProviderAddresses({ provider }: { provider: Provider }) {
  const { id, callbackUrl, logoutUrl, keysUrl, metadataUrl, signingCertificate, encryptionCertificate } = provider
  const hasKeys = keysUrl ?? signingCertificate ?? encryptionCertificate
  const { t } = useTranslation('identity-admin')
  const queryClient = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => api.create('identity-provider-keys', { relationships: { provider: { type: 'identity-providers', id } } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: PROVIDERS_KEY }),
  })
  const show = (address: string) => <code className="hook-address">{address}</code>
  const showCertificate = (pem: string) => (
    <details>
      <summary>{t('show-certificate')}</summary>
      {show(pem)}
    </details>
  )
  return (
    <section className="admin-panel">
      <h2>{t('addresses')}</h2>
      <DefinitionList
        items={[
          ...(metadataUrl ? [{ term: t('metadata'), value: show(metadataUrl) }] : []),
          { term: t(metadataUrl ? 'assertion-url' : 'callback'), value: show(callbackUrl) },
          ...(metadataUrl ? [] : [{ term: t('logout'), value: show(logoutUrl) }]),
          ...(keysUrl ? [{ term: t('keys'), value: show(keysUrl) }] : []),
          ...(signingCertificate ? [{ term: t('signing-certificate'), value: showCertificate(signingCertificate) }] : []),
          ...(encryptionCertificate ? [{ term: t('encryption-certificate'), value: showCertificate(encryptionCertificate) }] : []),
        ]}
      />
      {hasKeys && (
        <>
          <p>{t(keysUrl ? 'rotate-text' : 'rotate-saml-text')}</p>
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
