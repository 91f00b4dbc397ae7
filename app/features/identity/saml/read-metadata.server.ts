import { X509Certificate } from 'node:crypto'
import { readBoundedXml, type XmlBounds } from '#app/server/bounded-xml.ts'
import type { Ctx } from '#app/server/context.ts'
import { readWholeBody, sendOutgoing } from '#app/server/outgoing/send-outgoing.ts'

const TIMEOUT_MS = 8000
const MAX_BYTES = 500_000
const MAX_CERTIFICATES = 3
/** One provider takes some dozens of elements; a federation's list of thousands is refused. */
const BOUNDS: XmlBounds = { depth: 24, elements: 2000, attributes: 4000, attributeLength: 4000, namespaces: 64 }
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** A provider as its metadata describes it (SAML 2.0 Metadata). */
export interface DescribedProvider {
  issuer: string
  ssoUrl: string
  /** As PEM: those it signs with. */
  certificates: string[]
  signsRequests: boolean
}

/** @throws {OutgoingFault} if it cannot be had; {Error} if it describes no provider */
export async function fetchMetadata({ runtime }: Pick<Ctx, 'runtime'>, address: string, now: Date): Promise<DescribedProvider> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' }
  const answer = await sendOutgoing(
    { url: address, headers, withinMs: TIMEOUT_MS, mostBytes: MAX_BYTES, mostRedirects: 3 },
    { loopback: runtime.env.OUTGOING_LOOPBACK },
  )
  const body = await readWholeBody(answer)
  if (answer.status !== 200) throw new Error(`answer ${answer.status}`)
  return readMetadata(body.toString('utf8'), now)
}

type Attributes = ReadonlyMap<string, string>

/** @throws {Error} if it is not the metadata of one provider, which is still valid */
export function readMetadata(xml: string, now: Date): DescribedProvider {
  const path: string[] = []
  const found = {
    entities: [] as string[],
    providers: [] as { issuer: string; signsRequests: boolean }[],
    ssoUrls: [] as string[],
    keys: [] as string[],
  }
  let use: string | undefined
  let text = ''
  const open = (local: string, attributes: Attributes) => {
    text = ''
    if (local === 'EntityDescriptor') found.entities.push(attributes.get('entityID') ?? '')
    const end = attributes.get('validUntil')
    if (end !== undefined && !(Date.parse(end) > now.getTime())) throw new Error('not valid any more')
    if (local === 'IDPSSODescriptor')
      found.providers.push({
        issuer: found.entities.at(-1) ?? '',
        signsRequests: /^(true|1)$/.test(attributes.get('WantAuthnRequestsSigned') ?? ''),
      })
    if (local === 'KeyDescriptor') use = attributes.get('use')
    const isOfProvider = path.includes('IDPSSODescriptor')
    if (isOfProvider && local === 'SingleSignOnService' && attributes.get('Binding') === REDIRECT_BINDING)
      found.ssoUrls.push(attributes.get('Location') ?? '')
    path.push(local)
  }
  const close = () => {
    if (path.pop() === 'X509Certificate' && path.includes('IDPSSODescriptor') && use !== 'encryption') found.keys.push(text)
  }
  const ignore = () => undefined
  readBoundedXml(xml, BOUNDS, {
    open: ({ local, attributes }) => open(local, new Map(attributes.map((each) => [each.local, each.value]))),
    close,
    text: (more) => void (text += more),
    cdata: ignore,
    comment: ignore,
    instruction: ignore,
  })
  const [provider] = found.providers
  const [ssoUrl] = found.ssoUrls
  const certificates = [...new Set(found.keys)].map(toCertificate).slice(0, MAX_CERTIFICATES)
  if (!provider || found.providers.length > 1) throw new Error('not one provider')
  if (!provider.issuer || !ssoUrl || !URL.canParse(ssoUrl) || certificates.length === 0) throw new Error('no name, address or certificate')
  return { ...provider, ssoUrl, certificates }
}

function toCertificate(base64: string): string {
  const lines = base64.replace(/\s/g, '').match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n')
  if (new X509Certificate(pem).publicKey.asymmetricKeyType !== 'rsa') throw new Error('no RSA key')
  return pem
}
