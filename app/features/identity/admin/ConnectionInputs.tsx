import { useTranslation } from 'react-i18next'
import {
  ASSERTION_ENCRYPTIONS,
  type AssertionEncryption,
  CLIENT_AUTHS,
  type ClientAuth,
  type ProviderProtocol,
} from '#app/lib/vocabulary/identity.ts'
import { CheckInput, SelectInput, TextAreaInput, TextInput } from '#app/ui/admin/inputs.tsx'

/** How this site and a provider know each other, as typed. */
export interface Connection {
  issuer: string
  clientId: string
  clientAuth: ClientAuth
  clientSecret: string
  metadataAddress: string
  ssoUrl: string
  /** One after the other. */
  certificates: string
  assertionEncryption: AssertionEncryption
  signsRequests: boolean
}

export const EMPTY_CONNECTION: Connection = {
  issuer: '',
  clientId: '',
  clientAuth: 'client-secret',
  clientSecret: '',
  metadataAddress: '',
  ssoUrl: '',
  certificates: '',
  assertionEncryption: 'none',
  signsRequests: false,
}

/** What the API takes of a connection; the fields of the other protocol are left out. */
export function toConnectionAttributes(protocol: ProviderProtocol, connection: Connection) {
  const { issuer, clientId, clientAuth, clientSecret, metadataAddress, ssoUrl, certificates, assertionEncryption, signsRequests } =
    connection
  if (protocol === 'saml') {
    const described = {
      ...(issuer.trim() && { issuer: issuer.trim() }),
      metadataAddress: metadataAddress.trim() || null,
      ssoUrl: ssoUrl.trim() || null,
      certificates: splitCertificates(certificates),
    }
    return { ...described, assertionEncryption, signsRequests }
  }
  const secret = clientSecret.trim() && clientAuth !== 'private-key' ? { clientSecret } : {}
  return { issuer: issuer.trim(), clientId, clientAuth, ...secret }
}

const splitCertificates = (text: string): string[] => text.split(/(?<=-----END CERTIFICATE-----)/).flatMap((each) => each.trim() || [])

interface ConnectionInputsProps {
  protocol: ProviderProtocol
  connection: Connection
  onChange: (change: Partial<Connection>) => void
  placeholder?: string
  hasSecret?: boolean
}

export function ConnectionInputs({ protocol, connection, onChange, placeholder, hasSecret = false }: ConnectionInputsProps) {
  const { t } = useTranslation('identity-admin')
  if (protocol === 'saml')
    return (
      <>
        <TextInput
          name="metadataAddress"
          type="url"
          label={t('metadata-address')}
          hint={t('metadata-address-hint')}
          value={connection.metadataAddress}
          onChange={(metadataAddress) => onChange({ metadataAddress })}
        />
        <TextInput
          name="issuer"
          label={t('entity-id')}
          hint={t('entity-id-hint')}
          value={connection.issuer}
          onChange={(issuer) => onChange({ issuer })}
          required={!connection.metadataAddress.trim()}
        />
        <TextInput
          name="ssoUrl"
          type="url"
          label={t('sso-url')}
          hint={t('sso-url-hint')}
          value={connection.ssoUrl}
          onChange={(ssoUrl) => onChange({ ssoUrl })}
          required={!connection.metadataAddress.trim()}
        />
        <TextAreaInput
          name="certificates"
          label={t('certificates')}
          hint={t('certificates-hint')}
          value={connection.certificates}
          onChange={(certificates) => onChange({ certificates })}
          rows={6}
          required={!connection.metadataAddress.trim()}
        />
        <SelectInput
          name="assertionEncryption"
          label={t('encryption')}
          hint={t('encryption-hint')}
          value={connection.assertionEncryption}
          onChange={(assertionEncryption) => onChange({ assertionEncryption })}
          options={ASSERTION_ENCRYPTIONS.map((value) => ({ value, label: t(`encryptions.${value}`) }))}
        />
        <CheckInput
          name="signsRequests"
          label={t('signs-requests')}
          hint={t('signs-requests-hint')}
          value={connection.signsRequests}
          onChange={(signsRequests) => onChange({ signsRequests })}
        />
      </>
    )
  return (
    <>
      <TextInput
        name="issuer"
        type="url"
        label={t('issuer')}
        hint={t('issuer-hint')}
        placeholder={placeholder}
        value={connection.issuer}
        onChange={(issuer) => onChange({ issuer })}
        required
      />
      <TextInput
        name="clientId"
        label={t('client-id')}
        value={connection.clientId}
        onChange={(clientId) => onChange({ clientId })}
        maxLength={300}
        required
      />
      <SelectInput
        name="clientAuth"
        label={t('auth')}
        value={connection.clientAuth}
        onChange={(clientAuth) => onChange({ clientAuth })}
        options={CLIENT_AUTHS.map((value) => ({ value, label: t(`auths.${value}`) }))}
      />
      {connection.clientAuth !== 'private-key' && (
        <TextInput
          name="clientSecret"
          label={t('client-secret')}
          hint={t(hasSecret ? 'client-secret-kept' : 'client-secret-hint')}
          value={connection.clientSecret}
          onChange={(clientSecret) => onChange({ clientSecret })}
          maxLength={2000}
        />
      )}
    </>
  )
}
